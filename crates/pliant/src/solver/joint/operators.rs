//! Operator and preconditioner of a joint solve.

use std::cell::RefCell;
use std::ops::Range;

use glam::DVec3;

use crate::solver::linear::{Operator, Preconditioner};

use super::coupling::Coupling;
use super::member::{Member, beside, for_each_member};
use super::rigid_motions::RigidMotions;
use super::shared_factor::SharedFactor;

/// The operator of all members and pairs.
pub(super) struct Together<'a, 'm, M> {
    pub(super) members: &'a RefCell<&'m mut [M]>,
    pub(super) offsets: &'a [usize],
    pub(super) coupling: &'a mut Coupling,
}

impl<M: Member> Operator for Together<'_, '_, M> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let Self { members, offsets, coupling } = self;
        let members = &mut **members.borrow_mut();
        let work = |member: &mut M, range: Range<usize>, product: &mut [DVec3]| {
            member.apply(&p[range], product);
        };
        beside(
            p.len(),
            || for_each_member(members, offsets, product, &work),
            || coupling.answer(p),
        );
        coupling.add_answers(product);
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            member.project(&mut product[range[0]..range[1]]);
        }
    }
}

/// The factor of several members, the preconditioners of the others, and the rigid motions of all; or the factor alone, if it contains all.
pub(super) struct Apart<'a, 'm, M> {
    pub(super) members: &'a RefCell<&'m mut [M]>,
    pub(super) offsets: &'a [usize],
    pub(super) motions: &'a mut RigidMotions,
    pub(super) factor: &'a mut SharedFactor,
}

impl<M: Member> Preconditioner for Apart<'_, '_, M> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let Self { members, offsets, motions, factor } = self;
        if factor.is_whole() {
            factor.solve(motions, r);
            return factor.write_solution(motions, z);
        }
        let members = &mut **members.borrow_mut();
        let work = |member: &mut M, range: Range<usize>, z: &mut [DVec3]| {
            if !factor.contains_unknown(range.start) {
                member.precondition(&r[range], z);
            }
        };
        beside(
            r.len(),
            || for_each_member(members, offsets, z, &work),
            || motions.solve(offsets, r),
        );
        factor.solve(motions, r);
        factor.write_solution(motions, z);
        let motions = &**motions;
        for_each_member(members, offsets, z, &|member: &mut M, range, z: &mut [DVec3]| {
            motions.add_solution(range, z);
            member.unknowns().clear_inactive(z);
            member.project_update(z);
        });
    }
}
