"""Times the clamped bar in pypbd: XPBD on linear tetrahedra, one iteration per substep.

    python pypbd_bar.py ALONG SUBSTEPS WARM FRAMES

ALONG is the number of boxes of five tetrahedra along the bar. Prints `bar CELLS MS SUNK`: the number of
tetrahedra, the processor time of a frame in ms, and the vertical displacement of the end in m. Set
OMP_NUM_THREADS=1 for one thread. Gravity is 9.81 m/s2, which the Python interface of pypbd cannot change.
"""

import itertools
import sys
import time
from importlib.metadata import version

import numpy as np
import pypbd

WANTED = "2.2.2"
YOUNG, POISSON, DENSITY = 1e6, 0.35, 1000.0
# The solid method of pypbd that is XPBD with the energy of a tetrahedron as its constraint.
XPBD_FEM = 3


def five_tetrahedra(parity):
    """Corners of a unit box, as offsets, in five positively oriented tetrahedra."""
    corners = np.array(list(itertools.product((0, 1), repeat=3)))
    inner = corners[corners.sum(axis=1) % 2 == parity]
    cells = [inner]
    for cut in corners[corners.sum(axis=1) % 2 != parity]:
        cells.append(np.vstack([cut, inner[np.abs(inner - cut).sum(axis=1) == 1]]))
    return [oriented(cell) for cell in cells]


def oriented(cell):
    return cell if np.linalg.det(cell[1:] - cell[0]) > 0 else cell[[0, 2, 1, 3]]


def bar_mesh(along):
    """Nodes in m, tetrahedra and lumped masses in kg of the bar of 4 x 1 x 1 m."""
    boxes = np.array([along, along // 4, along // 4])
    grid = np.indices(boxes + 1).reshape(3, -1).T
    splits = [five_tetrahedra(0), five_tetrahedra(1)]
    cells = [
        np.ravel_multi_index((cell + box).T, boxes + 1)
        for box in itertools.product(*map(range, boxes))
        for cell in splits[sum(box) % 2]
    ]
    nodes, cells = grid * (4.0 / along), np.array(cells)
    edges = nodes[cells[:, 1:]] - nodes[cells[:, :1]]
    masses = np.zeros(len(nodes))
    np.add.at(masses, cells, (DENSITY / 24.0 * np.linalg.det(edges))[:, None])
    return nodes, cells, masses


def clamped(nodes, cells, masses):
    """A model of the bar whose nodes at x = 0 cannot move."""
    simulation = pypbd.Simulation.getCurrent()
    simulation.initDefault()
    model = simulation.getModel()
    tetrahedra = model.addTetModel(nodes, cells.ravel(), testMesh=False, generateCollisionObject=False)
    for node, mass in enumerate(np.where(nodes[:, 0] == 0.0, 0.0, masses)):
        model.getParticles().setMass(node, mass)
    # Neither inverted cells nor normalised shear get special treatment.
    model.addSolidConstraints(tetrahedra, XPBD_FEM, YOUNG, POISSON, 1.0, False, False)
    return simulation, model


def main():
    along, substeps, warm, frames = map(int, sys.argv[1:])
    if version("pypbd") != WANTED:
        sys.exit(f"this Python has pypbd {version('pypbd')}, expected {WANTED}: run pip install pypbd=={WANTED}")
    nodes, cells, masses = bar_mesh(along)
    simulation, model = clamped(nodes, cells, masses)
    stepper = simulation.getTimeStep()
    stepper.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, substeps)
    stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
    pypbd.TimeManager.getCurrent().setTimeStepSize(1.0 / 60.0)

    for _ in range(warm):
        stepper.step(model)
    start = time.process_time()
    for _ in range(frames):
        stepper.step(model)
    spent = 1e3 * (time.process_time() - start) / frames

    end = np.flatnonzero(nodes[:, 0] == 4.0)
    sunk = np.mean([model.getParticles().getPosition(node)[1] - nodes[node, 1] for node in end])
    print(f"bar {len(cells)} {spent:.4f} {sunk:.6f}")


if __name__ == "__main__":
    main()
