// SPDX-License-Identifier: Apache-2.0
//! A bounded queue for many producers and consumers: each slot carries a turn counter.
//! `--cfg weak` weakens the store that publishes a value.
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering::*};

const CAPACITY: usize = 2;

struct Slot {
    turn: AtomicUsize,
    value: UnsafeCell<MaybeUninit<i64>>,
}

pub struct Ring {
    head: AtomicUsize,
    tail: AtomicUsize,
    slots: Vec<Slot>,
}

unsafe impl Sync for Ring {}

impl Ring {
    pub fn new() -> Ring {
        let slots = (0..CAPACITY)
            .map(|turn| Slot { turn: AtomicUsize::new(turn), value: UnsafeCell::new(MaybeUninit::uninit()) })
            .collect();
        Ring { head: AtomicUsize::new(0), tail: AtomicUsize::new(0), slots }
    }

    pub fn push(&self, value: i64) -> bool {
        let mut tail = self.tail.load(Relaxed);
        loop {
            let slot = &self.slots[tail % CAPACITY];
            let turn = slot.turn.load(Acquire);
            if turn == tail {
                match self.tail.compare_exchange_weak(tail, tail + 1, Relaxed, Relaxed) {
                    Ok(_) => {
                        unsafe { (*slot.value.get()).write(value) };
                        slot.turn.store(tail + 1, PUBLISH);
                        return true;
                    }
                    Err(now) => tail = now,
                }
            } else if (turn.wrapping_sub(tail) as isize) < 0 {
                return false;
            } else {
                tail = self.tail.load(Relaxed);
            }
        }
    }

    pub fn pop(&self) -> Option<i64> {
        let mut head = self.head.load(Relaxed);
        loop {
            let slot = &self.slots[head % CAPACITY];
            let turn = slot.turn.load(Acquire);
            if turn == head + 1 {
                match self.head.compare_exchange_weak(head, head + 1, Relaxed, Relaxed) {
                    Ok(_) => {
                        let value = unsafe { (*slot.value.get()).assume_init_read() };
                        slot.turn.store(head + CAPACITY, Release);
                        return Some(value);
                    }
                    Err(now) => head = now,
                }
            } else if (turn.wrapping_sub(head + 1) as isize) < 0 {
                return None;
            } else {
                head = self.head.load(Relaxed);
            }
        }
    }
}

#[cfg(not(weak))]
const PUBLISH: std::sync::atomic::Ordering = Release;
#[cfg(weak)]
const PUBLISH: std::sync::atomic::Ordering = Relaxed;

#[no_mangle]
pub extern "C" fn ring_new() -> *mut Ring {
    Box::into_raw(Box::new(Ring::new()))
}

/// # Safety
/// `ring` comes from `ring_new`.
#[no_mangle]
pub unsafe extern "C" fn ring_push(ring: *const Ring, value: i64) -> bool {
    (*ring).push(value)
}

/// # Safety
/// `ring` comes from `ring_new`, `value` may be written.
#[no_mangle]
pub unsafe extern "C" fn ring_pop(ring: *const Ring, value: *mut i64) -> bool {
    match (*ring).pop() {
        Some(found) => {
            *value = found;
            true
        }
        None => false,
    }
}
