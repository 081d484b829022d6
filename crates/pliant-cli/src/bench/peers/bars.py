"""The bars of `pliant bench motion` and `pliant bench scoreboard`, for engines with a Python interface.

    python - SUBSTEPS swing ALONG ACROSS SECONDS         a clamped bar, released under gravity
    python - SUBSTEPS rest RATE ALONG ACROSS SECONDS     the same, with velocities damped at RATE per second
    python - SUBSTEPS spin RATE ALONG ACROSS SECONDS     a free bar at RATE revolutions per second

ALONG and ACROSS are the boxes of the mesh, each of five linear tetrahedra. The script of an engine follows this text and calls `main` with a class of bars, which takes SUBSTEPS in a frame. Each printed line `row` is a frame, the first one
is the start: the height of the end from its rest, in m; or the angular momentum about the centre, in N m s, and the distance of two
corners, in m. The line `ms` is the processor time of a frame.
"""

import itertools
import sys
import time

import numpy as np

FRAME = 1.0 / 60.0
POISSON, DENSITY, GRAVITY = 0.3, 1000.0, 9.81


class Case:
    """One bar: its mesh, masses in kg, held nodes, Young's modulus in Pa, gravity in m/s2 and velocities in m/s."""

    def __init__(self, size, boxes, young, gravity):
        self.nodes, self.cells = mesh(np.array(size), np.array(boxes))
        self.young, self.gravity = young, gravity
        edges = self.nodes[self.cells[:, 1:]] - self.nodes[self.cells[:, :1]]
        self.masses = np.zeros(len(self.nodes))
        np.add.at(self.masses, self.cells, (DENSITY / 24.0 * np.linalg.det(edges))[:, None])
        self.held = np.array([], dtype=int)
        self.velocities = np.zeros_like(self.nodes)

    def lame(self):
        """The constants mu and lambda, in Pa."""
        mu = self.young / (2.0 * (1.0 + POISSON))
        return mu, 2.0 * mu * POISSON / (1.0 - 2.0 * POISSON)


def mesh(size, boxes):
    """A box in tetrahedra, five for each small box, mirrored from box to box."""
    grid = np.indices(boxes + 1).reshape(3, -1).T
    splits = [split(0), split(1)]
    cells = [
        np.ravel_multi_index((cell + box).T, boxes + 1)
        for box in itertools.product(*map(range, boxes))
        for cell in splits[sum(box) % 2]
    ]
    return grid * (size / boxes), np.array(cells)


def split(parity):
    """The unit cube in five positively oriented tetrahedra: an inner one, and one at each corner that it leaves."""
    corners = np.array(list(itertools.product((0, 1), repeat=3)))
    even = corners.sum(axis=1) % 2 == parity
    inner = corners[even]
    cut = [np.vstack([c, inner[np.abs(inner - c).sum(axis=1) == 1]]) for c in corners[~even]]
    return [c if np.linalg.det(c[1:] - c[0]) > 0 else c[[0, 2, 1, 3]] for c in [inner, *cut]]


def swing(engine, along, across, seconds):
    run(*clamped(engine, along, across), seconds)


def rest(engine, rate, along, across, seconds):
    run(*clamped(engine, along, across), seconds, np.exp(-rate * FRAME))


def clamped(engine, along, across):
    """A clamped bar, and the function of its row."""
    case = Case([4.0, 1.0, 1.0], boxes(along, across), 1e7, GRAVITY)
    case.held = np.flatnonzero(case.nodes[:, 0] == 0.0)
    end = np.flatnonzero(case.nodes[:, 0] == 4.0)
    return engine(case), lambda bar: [(bar.positions()[end, 1] - case.nodes[end, 1]).mean()]


def boxes(along, across):
    return [int(along), int(across), int(across)]


def spin(engine, rate, along, across, seconds):
    case = Case([2.0, 0.4, 0.4], boxes(along, across), 1e6, 0.0)
    centre, masses = np.array([1.0, 0.2, 0.2]), case.masses[:, None]
    case.velocities = np.cross([0.0, 0.0, 2.0 * np.pi * rate], case.nodes - centre)
    ends = [np.linalg.norm(case.nodes - [x, 0.0, 0.0], axis=1).argmin() for x in (0.0, 2.0)]

    def row(bar):
        x, v = bar.positions(), bar.velocities()
        about = x - (masses * x).sum(axis=0) / masses.sum()
        return [(masses * np.cross(about, v)).sum(axis=0)[2], np.linalg.norm(x[ends[0]] - x[ends[1]])]

    run(engine(case), row, seconds)


def run(bar, row, seconds, damping=1.0):
    """Steps a bar, and prints a row at the start and after every frame, then the processor time of a frame."""
    print("row", *row(bar))
    times = []
    for _ in range(round(seconds / FRAME)):
        begin = time.process_time()
        bar.step()
        times.append(time.process_time() - begin)
        if damping != 1.0:
            bar.set_velocities(damping * bar.velocities())
        print("row", *row(bar))
    # The first frame may compile something.
    print("ms", 1e3 * np.mean(times[1:]))


def main(engine):
    substeps, motion, *numbers = sys.argv[1:]
    {"swing": swing, "rest": rest, "spin": spin}[motion](lambda case: engine(case, int(substeps)), *map(float, numbers))
