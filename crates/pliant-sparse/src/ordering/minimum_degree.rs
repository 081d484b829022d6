//! Minimum degree: an elimination order with small factors for small or irregular meshes.

use super::Neighbours;

/// Marks the end of a list of [`Buckets`].
const END: u32 = u32::MAX;

/// Returns an order that eliminates, in each step, the unknown with the fewest remaining neighbours (Amestoy, Davis &
/// Duff 1996).
///
/// Eliminating an unknown connects all its neighbours with each other. These cliques are not stored explicitly: an
/// eliminated unknown becomes an *element* that lists its neighbours, and two unknowns are neighbours if they share
/// an element. Degrees are upper bounds, which are cheap to update. Unknowns with the same neighbours are merged into
/// one *variable* and eliminated together.
pub(crate) fn minimum_degree(neighbours: &Neighbours) -> Vec<u32> {
    let mut graph = QuotientGraph::new(neighbours);
    while let Some(pivot) = graph.buckets.pop() {
        graph.eliminate(pivot);
    }
    graph.order
}

struct QuotientGraph {
    /// For each variable, its neighbours that share no element with it.
    variables: Vec<Vec<u32>>,
    /// For each variable, its elements.
    elements: Vec<Vec<u32>>,
    /// For each element, its variables; empty once it is absorbed by another element.
    members: Vec<Vec<u32>>,
    /// For each element, the number of unknowns in `members`.
    size: Vec<u32>,
    /// Number of unknowns in each variable; zero once it is eliminated or merged.
    weight: Vec<u32>,
    /// The next unknown of the same variable, and the last one.
    next: Vec<u32>,
    last: Vec<u32>,
    degree: Vec<u32>,
    buckets: Buckets,
    /// Number of unknowns not yet eliminated.
    left: u32,
    stamps: Stamps,
    /// For each element, the number of unknowns outside the element of the current pivot.
    outside: Vec<u32>,
    is_counted: Stamps,
    order: Vec<u32>,
}

impl QuotientGraph {
    fn new(neighbours: &Neighbours) -> Self {
        let count = neighbours.count();
        let variables: Vec<Vec<u32>> =
            (0..count as u32).map(|unknown| neighbours.of(unknown).to_vec()).collect();
        let degree: Vec<u32> = variables.iter().map(|others| others.len() as u32).collect();
        let mut buckets = Buckets::new(count);
        for unknown in (0..count).rev() {
            buckets.insert(unknown as u32, degree[unknown]);
        }
        Self {
            variables,
            elements: vec![Vec::new(); count],
            members: vec![Vec::new(); count],
            size: vec![0; count],
            weight: vec![1; count],
            next: vec![END; count],
            last: (0..count as u32).collect(),
            degree,
            buckets,
            left: count as u32,
            stamps: Stamps::new(count),
            outside: vec![0; count],
            is_counted: Stamps::new(count),
            order: Vec::with_capacity(count),
        }
    }

    fn eliminate(&mut self, pivot: u32) {
        let mut members = self.form_element(pivot);
        self.finish(pivot);
        let size: u32 = members.iter().map(|member| self.weight[*member as usize]).sum();
        self.count_outside(&members);
        for member in &members {
            self.buckets.remove(*member);
            self.update(*member, pivot, size);
        }
        members.retain(|member| self.weight[*member as usize] > 0);
        self.merge_indistinguishable(&mut members);
        for member in &members {
            let most = self.left - self.weight[*member as usize];
            self.degree[*member as usize] = self.degree[*member as usize].min(most);
            self.buckets.insert(*member, self.degree[*member as usize]);
        }
        self.size[pivot as usize] =
            members.iter().map(|member| self.weight[*member as usize]).sum();
        self.members[pivot as usize] = members;
    }

    /// Appends the unknowns of a variable to the order.
    fn finish(&mut self, variable: u32) {
        self.left -= self.weight[variable as usize];
        self.weight[variable as usize] = 0;
        let mut unknown = variable;
        while unknown != END {
            self.order.push(unknown);
            unknown = self.next[unknown as usize];
        }
    }

    /// Collects and marks all variables next to the pivot; the elements of the pivot are absorbed by the new one.
    fn form_element(&mut self, pivot: u32) -> Vec<u32> {
        self.stamps.clear();
        self.stamps.mark(pivot);
        let mut members = Vec::new();
        let elements = std::mem::take(&mut self.elements[pivot as usize]);
        let lists =
            elements.iter().map(|element| std::mem::take(&mut self.members[*element as usize]));
        let own = std::mem::take(&mut self.variables[pivot as usize]);
        for list in lists.chain([own]) {
            for variable in list {
                if self.weight[variable as usize] > 0 && self.stamps.mark(variable) {
                    members.push(variable);
                }
            }
        }
        members
    }

    /// Counts, for every element next to a member, the unknowns that are not members.
    fn count_outside(&mut self, members: &[u32]) {
        self.is_counted.clear();
        for member in members {
            let weight = self.weight[*member as usize];
            for element in &self.elements[*member as usize] {
                let element = *element as usize;
                if self.members[element].is_empty() {
                    continue;
                }
                if self.is_counted.mark(element as u32) {
                    self.outside[element] = self.size[element];
                }
                self.outside[element] -= weight;
            }
        }
    }

    /// Updates the lists of a member of the pivot's element, and the bound of its degree.
    fn update(&mut self, member: u32, pivot: u32, size: u32) {
        let m = member as usize;
        let (members, outside) = (&mut self.members, &self.outside);
        let mut beyond = 0;
        self.elements[m].retain(|element| {
            let element = *element as usize;
            if !members[element].is_empty() && outside[element] == 0 {
                // It is a subset of the new element, so it is redundant.
                members[element].clear();
            }
            beyond += if members[element].is_empty() { 0 } else { outside[element] };
            !members[element].is_empty()
        });
        let (weight, stamps) = (&self.weight, &self.stamps);
        self.variables[m].retain(|other| {
            let keep = weight[*other as usize] > 0 && !stamps.is_marked(*other);
            beyond += if keep { weight[*other as usize] } else { 0 };
            keep
        });
        if self.elements[m].is_empty() && self.variables[m].is_empty() {
            // Its neighbours are those of the pivot: eliminating it now adds no fill to the factor.
            self.finish(member);
            return;
        }
        let within = size - self.weight[m];
        self.degree[m] = (self.degree[m] + within).min(within + beyond);
        self.elements[m].push(pivot);
    }

    /// Merges members with the same neighbours.
    fn merge_indistinguishable(&mut self, members: &mut Vec<u32>) {
        let key = |member: &u32| {
            let lists = [&self.elements[*member as usize], &self.variables[*member as usize]];
            lists.into_iter().flatten().fold(0_u32, |sum, other| sum.wrapping_add(*other))
        };
        let mut keyed: Vec<(u32, u32)> = members.iter().map(|m| (key(m), *m)).collect();
        keyed.sort_unstable();
        for group in keyed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            for (k, (_, kept)) in group.iter().enumerate() {
                if self.weight[*kept as usize] > 0 {
                    self.absorb(*kept, &group[k + 1..]);
                }
            }
        }
        members.retain(|member| self.weight[*member as usize] > 0);
    }

    /// Merges into `kept` those of `others` that have the same elements and neighbours.
    fn absorb(&mut self, kept: u32, others: &[(u32, u32)]) {
        let k = kept as usize;
        self.stamps.clear();
        self.is_counted.clear();
        self.variables[k].iter().for_each(|variable| _ = self.stamps.mark(*variable));
        self.elements[k].iter().for_each(|element| _ = self.is_counted.mark(*element));
        for (_, other) in others {
            let o = *other as usize;
            let alike = self.weight[o] > 0
                && self.variables[o].len() == self.variables[k].len()
                && self.elements[o].len() == self.elements[k].len()
                && self.variables[o].iter().all(|variable| self.stamps.is_marked(*variable))
                && self.elements[o].iter().all(|element| self.is_counted.is_marked(*element));
            if alike {
                self.degree[k] -= self.weight[o];
                self.weight[k] += std::mem::take(&mut self.weight[o]);
                self.next[self.last[k] as usize] = *other;
                self.last[k] = self.last[o];
                (self.variables[o], self.elements[o]) = (Vec::new(), Vec::new());
            }
        }
    }
}

/// A set of indices that is cleared in constant time.
struct Stamps {
    stamp: u32,
    of: Vec<u32>,
}

impl Stamps {
    fn new(count: usize) -> Self {
        Self { stamp: 0, of: vec![0; count] }
    }

    fn clear(&mut self) {
        self.stamp += 1;
    }

    /// Adds an index; returns false if it was already in the set.
    fn mark(&mut self, k: u32) -> bool {
        std::mem::replace(&mut self.of[k as usize], self.stamp) != self.stamp
    }

    fn is_marked(&self, k: u32) -> bool {
        self.of[k as usize] == self.stamp
    }
}

/// Variables sorted by degree: a doubly linked list for each degree.
struct Buckets {
    first: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    degree: Vec<u32>,
    /// All lists below this degree are empty.
    least: usize,
}

impl Buckets {
    fn new(count: usize) -> Self {
        let empty = || vec![END; count];
        Self { first: empty(), next: empty(), previous: empty(), degree: vec![0; count], least: 0 }
    }

    fn insert(&mut self, variable: u32, degree: u32) {
        let (v, second) = (variable as usize, self.first[degree as usize]);
        (self.next[v], self.previous[v], self.degree[v]) = (second, END, degree);
        if second != END {
            self.previous[second as usize] = variable;
        }
        self.first[degree as usize] = variable;
        self.least = self.least.min(degree as usize);
    }

    fn remove(&mut self, variable: u32) {
        let v = variable as usize;
        let (before, after) = (self.previous[v], self.next[v]);
        match before {
            END => self.first[self.degree[v] as usize] = after,
            _ => self.next[before as usize] = after,
        }
        if after != END {
            self.previous[after as usize] = before;
        }
    }

    /// Removes and returns a variable of smallest degree.
    fn pop(&mut self) -> Option<u32> {
        while *self.first.get(self.least)? == END {
            self.least += 1;
        }
        let variable = self.first[self.least];
        self.remove(variable);
        Some(variable)
    }
}
