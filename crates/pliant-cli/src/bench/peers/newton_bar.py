# Newton on the processor: vertex block descent with ten iterations a substep, without damping.
import warp

warp.config.quiet = True
import newton


class Bar:
    def __init__(self, case, substeps):
        self.substeps = substeps
        mu, lame = case.lame()
        builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -case.gravity, 0.0))
        builder.add_soft_mesh(
            pos=warp.vec3(0.0, 0.0, 0.0),
            rot=warp.quat_identity(),
            scale=1.0,
            vel=warp.vec3(0.0, 0.0, 0.0),
            vertices=[warp.vec3(*map(float, node)) for node in case.nodes],
            indices=case.cells.ravel().tolist(),
            density=DENSITY,
            k_mu=mu,
            k_lambda=lame,
            k_damp=0.0,
            add_surface_mesh_edges=False,
        )
        for node in case.held:
            builder.particle_mass[int(node)] = 0.0
        builder.color()
        self.model = builder.finalize(device="cpu")
        self.now, self.next = self.model.state(), self.model.state()
        self.set_velocities(case.velocities)
        self.solver = newton.solvers.SolverVBD(self.model, iterations=10)
        self.control = self.model.control()

    def step(self):
        for _ in range(self.substeps):
            self.now.clear_forces()
            self.solver.step(self.now, self.next, self.control, None, FRAME / self.substeps)
            self.now, self.next = self.next, self.now

    def positions(self):
        return self.now.particle_q.numpy().astype(float)

    def velocities(self):
        return self.now.particle_qd.numpy().astype(float)

    def set_velocities(self, v):
        self.now.particle_qd.assign(v.astype(np.float32))


main(Bar)
