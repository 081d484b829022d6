# pypbd: XPBD with the energy of a tetrahedron as its constraint, one iteration a substep. Its gravity cannot be changed from
# Python: the free bar falls while it spins, which changes neither its shape nor its spin.
import pypbd

XPBD_FEM = 3


class Bar:
    def __init__(self, case, substeps):
        simulation = pypbd.Simulation.getCurrent()
        simulation.initDefault()
        self.model, self.stepper = simulation.getModel(), simulation.getTimeStep()
        body = self.model.addTetModel(
            case.nodes, case.cells.ravel().astype(np.uint32), testMesh=False, generateCollisionObject=False
        )
        self.particles, self.count = self.model.getParticles(), len(case.nodes)
        for node in range(self.count):
            self.particles.setMass(node, 0.0 if node in case.held else float(case.masses[node]))
        self.set_velocities(case.velocities)
        self.model.addSolidConstraints(body, XPBD_FEM, case.young, POISSON, 1.0, False, False)
        self.stepper.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, substeps)
        self.stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
        pypbd.TimeManager.getCurrent().setTimeStepSize(FRAME)

    def step(self):
        self.stepper.step(self.model)

    def positions(self):
        return np.array([self.particles.getPosition(node) for node in range(self.count)])

    def velocities(self):
        return np.array([self.particles.getVelocity(node) for node in range(self.count)])

    def set_velocities(self, v):
        for node in range(self.count):
            self.particles.setVelocity(node, v[node])


main(Bar)
