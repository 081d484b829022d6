# MuJoCo: a flexible body with the integrator `discrete`, which allows steps of a frame, without damping.
import mujoco

# Other warnings, such as that of a linear solve that has not converged, do not stop the motion. They go to nowhere: by default
# MuJoCo writes them to a file in the current folder.
NOT_FINITE = [mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC]
mujoco.set_mju_user_warning(lambda message: None)


class Bar:
    def __init__(self, case, substeps):
        self.substeps = substeps
        words = lambda values: " ".join(map(str, values))
        pin = f'<pin id="{words(case.held)}"/>' if len(case.held) else ""
        self.model = mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <size memory="1G"/>
              <option timestep="{FRAME / substeps}" integrator="discrete" gravity="0 {-case.gravity} 0"/>
              <worldbody>
                <flexcomp name="bar" type="direct" dim="3" mass="{case.masses.sum()}" radius="0.001"
                          point="{words(case.nodes.ravel())}" element="{words(case.cells.ravel())}">
                  {pin}
                  <contact selfcollide="none" contype="0" conaffinity="0"/>
                  <edge equality="false"/>
                  <elasticity young="{case.young}" poisson="{POISSON}" damping="0"/>
                </flexcomp>
              </worldbody>
            </mujoco>""")
        # Every free node is a body with three sliders along x, y and z, in the order of the nodes. MuJoCo gives all of them
        # the same mass; the masses of a uniform solid are those of the cells around them.
        self.free = np.setdiff1d(np.arange(len(case.nodes)), case.held)
        self.model.body_mass[self.model.flex_vertbodyid[self.free]] = case.masses[self.free]
        mujoco.mj_setConst(self.model, mujoco.MjData(self.model))
        self.data = mujoco.MjData(self.model)
        self.set_velocities(case.velocities)
        mujoco.mj_forward(self.model, self.data)

    def step(self):
        mujoco.mj_step(self.model, self.data, self.substeps)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_flex(self.model, self.data)
        if any(self.data.warning[kind].number for kind in NOT_FINITE):
            sys.exit("its numbers stopped being finite")

    def positions(self):
        return self.data.flexvert_xpos.copy()

    def velocities(self):
        v = np.zeros_like(self.data.flexvert_xpos)
        v[self.free] = self.data.qvel.reshape(-1, 3)
        return v

    def set_velocities(self, v):
        self.data.qvel[:] = v[self.free].ravel()


main(Bar)
