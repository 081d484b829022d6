#!/usr/bin/env python3
"""Checks files written by Pliant with meshio, VTK and Gmsh, and reads files written by these programs.

    python3 -m venv venv && venv/bin/pip install meshio pyvista gmsh tetgen
    venv/bin/python scripts/interop.py

Checks for every kind of cell, straight and curved: cell types and counts; node orders, by the volume
integrated with the Jacobians of the other program and by the position of the point at 0.3 of the first
edge; fields, by their value at that point; groups; time series. Then Pliant reads meshes made and written
by Gmsh, meshio, VTK and TetGen in all their encodings; they must have the same cells and volume. See
docs/interop.md.
"""

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import gmsh
import meshio
import numpy as np
import pyvista as pv
import vtk

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-6  # Jacobians of VTK are computed by central differences.

GMSH_TYPES = {"tet4": 4, "hex8": 5, "prism6": 6, "pyramid5": 7, "tet10": 11, "hex27": 12, "tet20": 29}
VTK_TYPES = {"tet4": 10, "hex8": 12, "prism6": 13, "pyramid5": 14, "tet10": 24, "hex27": 29, "tet20": 71}
MESHIO_TYPES = {
    "tet4": "tetra", "hex8": "hexahedron", "prism6": "wedge", "pyramid5": "pyramid",
    "tet10": "tetra10", "hex27": "hexahedron27", "tet20": "tetra20",
}

checks = 0


def check(condition, *what):
    """Counts a check, and exits at the first failure."""
    global checks
    checks += 1
    if not condition:
        sys.exit("FAILED: " + " ".join(str(w) for w in what))


def close(a, b, *what):
    error = np.max(np.abs(np.asarray(a, float) - np.asarray(b, float)))
    scale = max(1.0, float(np.max(np.abs(b))))
    check(error <= TOLERANCE * scale, *what, f"got {a}, expected {b}")


# Gmsh

def check_gmsh(path, expected):
    gmsh.open(str(path))
    types = {int(t): len(gmsh.model.mesh.getElementsByType(t)[0]) for t in gmsh.model.mesh.getElementTypes(3)}
    wanted = {GMSH_TYPES[kind]: count for kind, count in expected["cells"].items()}
    if "22" not in path.name:  # 2.2 repeats cells of several groups
        check(types == wanted, path.name, "cell classes", types, wanted)
    volume = 0.0
    for cell_type in types:
        points, weights = gmsh.model.mesh.getIntegrationPoints(cell_type, "Gauss8")
        tags, _ = gmsh.model.mesh.getElementsByType(cell_type)
        _, determinants, _ = gmsh.model.mesh.getJacobians(cell_type, points)
        determinants = determinants.reshape(len(tags), len(weights))
        nodes = gmsh.model.mesh.getElementsByType(cell_type)[1].reshape(len(tags), -1)
        _, unique = np.unique(nodes, axis=0, return_index=True)
        volume += float((determinants[unique] @ weights).sum())
    close(volume, expected["volume"], path.name, "volume by Gmsh")

    shape = first_shape(expected)
    for what, xi in {"edge": (expected["along"], 0.0, 0.0), "inner": expected["inner"]}.items():
        _, _, position = gmsh.model.mesh.getJacobian(1, gmsh_local(shape, *xi))
        close(position, expected[f"{what}_position"], path.name, what, "point by Gmsh")

    names = {(dim, gmsh.model.getPhysicalName(dim, tag)): tag for dim, tag in gmsh.model.getPhysicalGroups()}
    for name, nodes in expected["node_sets"].items():
        found, _ = gmsh.model.mesh.getNodesForPhysicalGroup(0, names[0, name])
        check(sorted(int(n) - 1 for n in found) == nodes, path.name, "node set", name, found)
    for name, cells in expected["regions"].items():
        count = 0
        for entity in gmsh.model.getEntitiesForPhysicalGroup(3, names[3, name]):
            count += sum(len(tags) for tags in gmsh.model.mesh.getElements(3, entity)[1])
        check(count == len(cells) or "22" in path.name, path.name, "region", name, count)
    gmsh.clear()


def first_shape(expected):
    return expected["first"].rstrip("0123456789")


def gmsh_local(shape, x, y, z):
    """Maps points of the reference cells of Pliant, from 0 to 1, to those of Gmsh."""
    if shape == "hex":
        return [2 * x - 1, 2 * y - 1, 2 * z - 1]
    if shape == "prism":
        return [x, y, 2 * z - 1]
    if shape == "pyramid":
        return [2 * x - (1 - z), 2 * y - (1 - z), z]
    return [x, y, z]


def vtk_local(shape, x, y, z):
    """The same for VTK, whose wedge is mirrored and whose pyramid is a collapsed cube."""
    if shape == "prism":
        return [y, x, z]
    if shape == "pyramid":
        return [x / (1 - z), y / (1 - z), z]
    return [x, y, z]


# VTK

def gauss(shape):
    """Points and weights on VTK's reference cell (for pyramids, on the cube that collapses)."""
    x, w = np.polynomial.legendre.leggauss(6)
    x, w = (x + 1) / 2, w / 2
    for (a, wa), (b, wb), (c, wc) in itertools.product(zip(x, w), repeat=3):
        weight = wa * wb * wc
        if shape == "tet":
            yield (a * (1 - b) * (1 - c), b * (1 - c), c), weight * (1 - b) * (1 - c) ** 2
        elif shape == "prism":
            yield (a * (1 - b), b, c), weight * (1 - b)
        else:
            yield (a, b, c), weight


def locate(cell, xi):
    sub_id, x, weights = vtk.reference(0), [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
    cell.EvaluateLocation(sub_id, xi, x, weights)
    return np.array(x), np.array(weights)


def vtk_volume(cell, shape, h=1e-5):
    total = 0.0
    for xi, weight in gauss(shape):
        columns = []
        for axis in np.eye(3) * h:
            columns.append((locate(cell, xi + axis)[0] - locate(cell, xi - axis)[0]) / (2 * h))
        total += weight * np.linalg.det(np.array(columns).T)
    # VTK's wedge is mirrored: its faces point outward where its map inverts the cell.
    return -total if shape == "prism" else total


def surface_volume(grid):
    """The volume inside the boundary faces, which must point outward."""
    surface = grid.extract_surface(algorithm="dataset_surface", nonlinear_subdivision=0).triangulate()
    corners = surface.points[surface.faces.reshape(-1, 4)[:, 1:]]
    return np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6


def check_vtk(path, expected):
    grid = pv.read(path)
    check(grid.n_points == expected["nodes"], path.name, "points")
    types = {int(t): int(c) for t, c in zip(*np.unique(grid.celltypes, return_counts=True))}
    wanted = {VTK_TYPES[kind]: count for kind, count in expected["cells"].items()}
    check(types == wanted, path.name, "cell classes", types, wanted)
    shapes = {v: k.rstrip("0123456789") for k, v in VTK_TYPES.items()}
    volume = sum(vtk_volume(grid.GetCell(c), shapes[int(grid.celltypes[c])]) for c in range(grid.n_cells))
    close(volume, expected["volume"], path.name, "volume by VTK")

    if "straight" in path.name:
        close(surface_volume(grid), expected["volume"], path.name, "outward faces by VTK")

    cell = grid.GetCell(0)
    shape = first_shape(expected)
    position, _ = locate(cell, vtk_local(shape, *expected["inner"]))
    close(position, expected["inner_position"], path.name, "inner point by VTK")
    position, weights = locate(cell, vtk_local(shape, expected["along"], 0.0, 0.0))
    close(position, expected["edge_position"], path.name, "edge point by VTK")
    ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
    marker = np.array(grid.point_data["marker"])[ids] @ weights
    close(marker, expected["edge_marker"], path.name, "field at the marked edge by VTK")
    displacement = np.array(grid.point_data["displacement"])[ids]
    close(weights @ displacement, expected["edge_position"], path.name, "vector field by VTK")
    close(grid.cell_data["quality"], np.full(grid.n_cells, 0.5), path.name, "cell field")
    for name, cells in expected["regions"].items():
        check(list(np.flatnonzero(grid.cell_data["region:" + name])) == cells, path.name, "region", name)
    for name, nodes in expected["node_sets"].items():
        check(list(np.flatnonzero(grid.point_data["nodes:" + name])) == nodes, path.name, "set", name)


def check_series(path):
    reader = pv.get_reader(path)
    check(list(reader.time_values) == [0.0, 0.25, 0.5], path.name, reader.time_values)
    heights = []
    for time in reader.time_values:
        reader.set_active_time_value(time)
        heights.append(reader.read()[0].points[0, 1])
    close(np.diff(heights), [1.0, 1.0], path.name, "frames")


# meshio

def check_meshio(path, expected):
    """Checks cell types, points and connectivity as read by meshio, whose node order is that of VTK."""
    if path.suffix == ".vtu" and "tet20" in expected["cells"]:
        return  # meshio reads cubic tetrahedra from Gmsh files only
    mesh = meshio.read(path)
    check(len(mesh.points) == expected["nodes"], path.name, "points by meshio")
    counts = {}
    for block in mesh.cells:
        counts[block.type] = counts.get(block.type, 0) + len(block.data)
    counts.pop("vertex", None)
    wanted = {MESHIO_TYPES[kind]: count for kind, count in expected["cells"].items()}
    check(set(counts) == set(wanted), path.name, "cell classes by meshio", counts, wanted)
    if "22" not in path.name:
        check(counts == wanted, path.name, "cell counts by meshio", counts, wanted)
    first = next(block for block in mesh.cells if block.type != "vertex")
    nodes = mesh.points[first.data[0]]
    s = expected["along"]
    if first.type in ("tetra10", "hexahedron27"):
        middle = 4 if first.type == "tetra10" else 8
        position = (1 - s) * (1 - 2 * s) * nodes[0] + s * (2 * s - 1) * nodes[1] + 4 * s * (1 - s) * nodes[middle]
        close(position, expected["edge_position"], path.name, "marked edge by meshio")
    elif first.type != "tetra20":
        close((1 - s) * nodes[0] + s * nodes[1], expected["edge_position"], path.name, "edge by meshio")
    if path.suffix == ".vtu":
        check(mesh.point_data["displacement"].shape == (expected["nodes"], 3), path.name, "fields")


# Files written by the other programs

def example(name, *arguments):
    command = ["cargo", "run", "--quiet", "--release", "-p", "pliant-io", "--example", name, "--"]
    result = subprocess.run(command + [str(a) for a in arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return result.stdout


def gmsh_meshes(folder):
    """A ball of each degree and a box of each shape, in all of Gmsh's encodings."""
    wanted = {}
    options = {"41": 4.1, "22": 2.2}
    for name, build in {"ball": gmsh_ball, "hexes": gmsh_hexes, "prisms": gmsh_prisms}.items():
        orders = [1, 2, 3] if name == "ball" else [1, 2] if name == "hexes" else [1]
        for order, serendipity in itertools.product(orders, [0, 1]):
            if serendipity and not (name == "hexes" and order == 2):
                continue
            build(order, serendipity)
            volume = gmsh_volume()
            for (version, number), binary in itertools.product(options.items(), [0, 1]):
                path = folder / f"{name}-p{order}{'-incomplete' * serendipity}-{version}-{binary}.msh"
                gmsh.option.setNumber("Mesh.MshFileVersion", number)
                gmsh.option.setNumber("Mesh.Binary", binary)
                gmsh.write(str(path))
                wanted[path] = volume
            if order == 1 and name != "prisms":  # Gmsh omits prisms in Medit files
                path = folder / f"{name}.mesh"
                gmsh.option.setNumber("Mesh.SaveAll", 1)
                gmsh.write(str(path))
                gmsh.option.setNumber("Mesh.SaveAll", 0)
                wanted[path] = volume
            gmsh.clear()
    return wanted


def gmsh_ball(order, serendipity):
    gmsh.model.occ.addSphere(0, 0, 0, 1)
    gmsh.model.occ.synchronize()
    finish_gmsh(order, serendipity, 0.7)


def gmsh_hexes(order, serendipity):
    gmsh.model.occ.addCylinder(0, 0, 0, 0, 0, 1, 1)
    gmsh.model.occ.synchronize()
    gmsh.option.setNumber("Mesh.SubdivisionAlgorithm", 2)
    finish_gmsh(order, serendipity, 1.0)
    gmsh.option.setNumber("Mesh.SubdivisionAlgorithm", 0)


def gmsh_prisms(order, serendipity):
    face = gmsh.model.occ.addDisk(0, 0, 0, 1, 0.7)
    gmsh.model.occ.extrude([(2, face)], 0, 0, 1, numElements=[3], recombine=True)
    gmsh.model.occ.synchronize()
    finish_gmsh(order, serendipity, 0.5)


def finish_gmsh(order, serendipity, size):
    gmsh.option.setNumber("Mesh.MeshSizeMax", size)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", serendipity)
    gmsh.model.addPhysicalGroup(3, [1], 7, "inside")
    gmsh.model.addPhysicalGroup(2, [tag for _, tag in gmsh.model.getEntities(2)], 8, "skin")
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(order)


def gmsh_volume():
    volume = 0.0
    for cell_type in gmsh.model.mesh.getElementTypes(3):
        points, weights = gmsh.model.mesh.getIntegrationPoints(cell_type, "Gauss8")
        _, determinants, _ = gmsh.model.mesh.getJacobians(cell_type, points)
        volume += float((determinants.reshape(-1, len(weights)) @ weights).sum())
    return volume


def vtk_meshes(folder, source, volume):
    """One grid written by VTK and by meshio in all the encodings of VTU."""
    wanted = {}
    grid = pv.read(source)
    modes = {"ascii": "SetDataModeToAscii", "binary": "SetDataModeToBinary", "appended": "SetDataModeToAppended"}
    choices = itertools.product(modes.items(), [0, 1], ["Little", "Big"], [32, 64], [0, 1])
    for (mode, set_mode), zlib, order, header, base64 in choices:
        writer = vtk.vtkXMLUnstructuredGridWriter()
        getattr(writer, set_mode)()
        writer.SetCompressorTypeToZLib() if zlib else writer.SetCompressorTypeToNone()
        getattr(writer, f"SetByteOrderTo{order}Endian")()
        writer.SetHeaderType(header)
        writer.SetEncodeAppendedData(base64)
        path = folder / f"vtk-{source.stem}-{mode}-{zlib}-{order}-{header}-{base64}.vtu"
        writer.SetFileName(str(path))
        writer.SetInputData(grid)
        check(writer.Write() == 1, path.name, "VTK writes")
        wanted[path] = volume
    if "tet20" not in source.name:
        for binary in [False, True]:
            path = folder / f"meshio-{source.stem}-{binary}.vtu"
            meshio.write(path, meshio.read(source), binary=binary)
            wanted[path] = volume
    return wanted


def tetgen_meshes(folder):
    """A cube meshed by TetGen, linear and quadratic, in TetGen files."""
    try:
        import tetgen
    except ImportError:
        print("skipped: the Python package tetgen is not installed")
        return {}
    wanted = {}
    for order in [1, 2]:
        mesher = tetgen.TetGen(pv.Cube().triangulate())
        nodes, cells = mesher.tetrahedralize(order=order)[:2]
        path = folder / f"tetgen-p{order}.ele"
        lines = [f"{len(nodes)} 3 0 0"] + [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(nodes.tolist())]
        path.with_suffix(".node").write_text("\n".join(lines) + "\n# end\n")
        lines = [f"{len(cells)} {cells.shape[1]} 0"] + [" ".join(map(str, [i, *c])) for i, c in enumerate(cells)]
        path.write_text("\n".join(lines) + "\n")
        wanted[path] = 1.0
    return wanted


def check_reading(folder):
    wanted = gmsh_meshes(folder)
    expected = {e["file"]: e for e in json.loads((folder / "expected.json").read_text())}
    for name in ["mixed", "tet10-curved", "tet20-curved", "hex27-curved"]:
        wanted |= vtk_meshes(folder, folder / f"{name}.vtu", expected[f"{name}.vtu"]["volume"])
    wanted |= tetgen_meshes(folder)
    for line in example("mesh_info", *wanted).splitlines():
        info = json.loads(line)
        path = pathlib.Path(info["file"])
        check("error" not in info, path.name, info.get("error"))
        # Pliant repairs the orientation of cells; meshes of TetGen and Gmsh may have either.
        close(abs(info["volume"]), abs(wanted[path]), path.name, "volume read here")
        if path.suffix == ".msh":
            names = [name for name, _ in info["regions"]], [name for name, _ in info["node_sets"]]
            check(names == (["inside"], ["skin"]), path.name, "groups", names)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    print(example("write_samples", folder).strip())
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    for expected in json.loads((folder / "expected.json").read_text()):
        path = folder / expected["file"]
        check_meshio(path, expected)
        if path.suffix == ".vtu":
            check_vtk(path, expected)
        else:
            check_gmsh(path, expected)
    check_series(folder / "series.pvd")
    print(f"files written here: {checks} checks by meshio {meshio.__version__}, VTK {vtk.VTK_VERSION}, Gmsh {gmsh.__version__}")
    before = checks
    check_reading(folder)
    print(f"files written by others: {checks - before} checks")


if __name__ == "__main__":
    main()
