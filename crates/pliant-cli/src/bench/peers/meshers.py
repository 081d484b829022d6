"""One run of another mesher for `pliant bench meshers`.

    python - MESHER SURFACE EDGE OUT

MESHER is ftetwild, tetgen or gmsh, SURFACE an OBJ file of triangles, and EDGE the wished edge length relative to the diagonal of
the bounding box. OUT gets the tetrahedra: a line `v X Y Z` for each node, then a line `t A B C D` for each cell, counted from 0. The
line `seconds` is the processor time of the mesher alone, without reading and writing.
"""

import os
import sys
import time

import numpy as np

# Meshers print to the same file; only lines of this script may reach it.
OUTPUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def main():
    name, path, edge, out = sys.argv[1:]
    vertices, triangles = read_obj(path)
    diagonal = np.linalg.norm(vertices.max(axis=0) - vertices.min(axis=0))
    mesher = {"ftetwild": ftetwild, "tetgen": tetgen, "gmsh": gmsh}[name]
    begin = time.process_time()
    nodes, cells = mesher(vertices, triangles, float(edge), diagonal)
    seconds = time.process_time() - begin
    if len(cells) == 0:
        raise SystemExit("it made no cells")
    with open(out, "w") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in np.asarray(nodes, dtype=float).tolist())
        file.writelines(f"t {a} {b} {c} {d}\n" for a, b, c, d in np.asarray(cells, dtype=int).tolist())
    print("seconds", seconds, file=OUTPUT, flush=True)


def read_obj(path):
    vertices, triangles = [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                triangles.append([int(word.split("/")[0]) - 1 for word in words[1:4]])
    return np.array(vertices), np.array(triangles, dtype=np.int32)


def ftetwild(vertices, triangles, edge, _):
    """fTetWild with its default envelope of 0.1 % of the diagonal, on one thread."""
    import wildmeshing

    mesher = wildmeshing.Tetrahedralizer(edge_length_r=edge, epsilon=1e-3, max_threads=1)
    mesher.set_log_level(6)
    mesher.set_mesh(vertices, triangles)
    mesher.tetrahedralize()
    nodes, cells, *_ = mesher.get_tet_mesh()
    return nodes, cells


def tetgen(vertices, triangles, edge, diagonal):
    """TetGen with its default quality, radius-edge ratio 2, and cells of at most the volume of a regular one of this edge."""
    import tetgen as library

    mesher = library.TetGen(vertices, triangles)
    volume = (edge * diagonal) ** 3 / (6.0 * np.sqrt(2.0))
    nodes, cells, *_ = mesher.tetrahedralize(plc=True, quality=True, minratio=2.0, maxvolume=volume, quiet=True)
    return nodes, cells


def gmsh(vertices, triangles, edge, diagonal):
    """Gmsh: the surface as it is where it is coarser than the edge, else parametrised and meshed again; then its Delaunay mesher."""
    import gmsh as library

    library.initialize(interruptible=False)
    library.option.setNumber("General.Terminal", 0)
    library.option.setNumber("General.NumThreads", 1)
    tag = library.model.addDiscreteEntity(2)
    count = len(vertices)
    library.model.mesh.addNodes(2, tag, range(1, count + 1), vertices.ravel().tolist())
    library.model.mesh.addElementsByType(tag, 2, [], (triangles + 1).ravel().tolist())
    library.model.mesh.removeDuplicateNodes()
    library.model.mesh.classifySurfaces(np.deg2rad(40.0), True, True, np.pi)
    library.model.mesh.createGeometry()
    loop = library.model.geo.addSurfaceLoop([tag for _, tag in library.model.getEntities(2)])
    library.model.geo.addVolume([loop])
    library.model.geo.synchronize()
    for limit in ("Mesh.MeshSizeMin", "Mesh.MeshSizeMax"):
        library.option.setNumber(limit, edge * diagonal)
    library.model.mesh.generate(3)
    tags, points, _ = library.model.mesh.getNodes()
    _, corners = library.model.mesh.getElementsByType(4)
    library.finalize()
    place = {int(tag): index for index, tag in enumerate(tags)}
    cells = np.array([place[int(tag)] for tag in corners]).reshape(-1, 4)
    return np.asarray(points).reshape(-1, 3), cells


main()
