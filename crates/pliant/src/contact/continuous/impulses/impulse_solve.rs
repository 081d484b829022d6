//! The solution of the impulses.

use glam::DVec3;

use super::impulse_system::ImpulseSystem;

/// Largest number of passes over the rows in a round, and over rows with an impulse before all are checked again.
const SOLVER_PASSES: usize = 200;
const ACTIVE_PASSES: usize = 8;

impl ImpulseSystem {
    /// Finds the impulses by projected Gauss–Seidel: each row in turn adds the impulse it lacks, or removes the excess of its own, and
    /// then ends its slip as far as friction can.
    /// Most rows never get an impulse, so all rows are checked only now and then, and at the end.
    pub(in crate::contact::continuous) fn solve(&mut self) {
        // Starts from the impulses of the last round.
        self.shift.fill(DVec3::ZERO);
        for index in 0..self.rows.len() {
            self.apply(index, self.rows[index].impulse());
        }
        let (mut all, mut since) = (true, 0);
        for _ in 0..SOLVER_PASSES {
            let settled = if all { self.relax_all() } else { self.relax_active() };
            if all && settled {
                break;
            }
            since = if all { 0 } else { since + 1 };
            all = settled || since == ACTIVE_PASSES;
        }
    }

    fn relax_all(&mut self) -> bool {
        let mut settled = true;
        self.active.clear();
        for index in 0..self.rows.len() {
            settled &= self.relax(index);
            if self.rows[index].push > 0.0 {
                self.active.push(index as u32);
            }
        }
        settled
    }

    fn relax_active(&mut self) -> bool {
        let mut settled = true;
        for index in 0..self.active.len() {
            settled &= self.relax(self.active[index] as usize);
        }
        settled
    }

    /// Updates the impulse of one row; returns true if it was within tolerance.
    fn relax(&mut self, index: usize) -> bool {
        let row = &self.rows[index];
        if row.softness <= 0.0 {
            return true;
        }
        let lack = row.target - row.base - row.normal.dot(self.moved(row));
        let push = (row.push + lack / row.softness).max(0.0);
        let (change, is_settled) = ((push - row.push) * row.normal, lack <= row.slack);
        if push != row.push {
            self.rows[index].push = push;
            self.apply(index, change);
        }
        is_settled && self.rub(index)
    }

    /// Updates the friction of one row; returns true if it was within tolerance.
    fn rub(&mut self, index: usize) -> bool {
        let row = &self.rows[index];
        let most = row.friction * row.push;
        if row.softness_across <= 0.0 || most == 0.0 && row.drag == DVec3::ZERO {
            return true;
        }
        let slip = row.slip + row.across(self.moved(row));
        let drag = (row.drag - slip / row.softness_across).clamp_length_max(most);
        let change = drag - row.drag;
        let is_settled = change.length() * row.softness_across <= row.slack;
        self.rows[index].drag = drag;
        self.apply(index, change);
        is_settled
    }
}
