import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasAssigneeLeft, isOverdue, mayCheckOff, mayEdit, orderAssignments, seesAssignment } from './assignments.ts'

const owner = { userId: 'owner', isOwner: true, locationIds: [] }
const member = { userId: 'mia', isOwner: false, locationIds: ['harbor'] }
const toMia = { assigneeId: 'mia', locationId: null, createdBy: 'owner' }
const toHarbor = { assigneeId: null, locationId: 'harbor', createdBy: 'owner' }
const toOak = { assigneeId: null, locationId: 'oak', createdBy: 'owner' }
const byMia = { assigneeId: 'owner', locationId: null, createdBy: 'mia' }
const gone = { assigneeId: null, locationId: null, createdBy: null }

test('owners see everything; members what is for them, for their locations, or made by them', () => {
  for (const assignment of [toMia, toHarbor, toOak, byMia, gone]) expect(seesAssignment(assignment, owner)).toBe(true)
  const seen = [toMia, toHarbor, toOak, byMia, gone].map((assignment) => seesAssignment(assignment, member))
  expect(seen).toEqual([true, true, false, true, false])
})

test('only those it is for, and the owner, check it off; only its author and the owner remove it', () => {
  expect([toMia, toHarbor, toOak, byMia, gone].map((one) => mayCheckOff(one, member))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect([toMia, byMia].map((one) => mayEdit(one, member))).toEqual([false, true])
  expect([toMia, gone].map((one) => mayCheckOff(one, owner) && mayEdit(one, owner))).toEqual([true, true])
})

test('an assignment to a person who left is marked, also after the account was deleted', () => {
  const members = new Set(['owner', 'mia'])
  expect(hasAssigneeLeft({ to: 'person', assigneeId: 'mia' }, members)).toBe(false)
  expect(hasAssigneeLeft({ to: 'person', assigneeId: 'zoe' }, members)).toBe(true)
  expect(hasAssigneeLeft({ to: 'person', assigneeId: null }, members)).toBe(true)
  expect(hasAssigneeLeft({ to: 'location', assigneeId: null }, members)).toBe(false)
})

test('what is due first comes first, then what has no date, then what is done', () => {
  const one = (dueOn: string | null, done: boolean, createdAt: string) => ({ dueOn, done, createdAt })
  const sorted = [
    one('2026-11-23', false, 'b'),
    one('2026-12-01', false, 'a'),
    one(null, false, 'a'),
    one('2026-01-01', true, 'z'),
    one(null, true, 'y'),
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(sorted, { minLength: sorted.length }), (shuffled) => {
      expect(orderAssignments(shuffled)).toEqual(sorted)
    }),
  )
})

test('an assignment is overdue from the day after its date, unless it is done', () => {
  expect(isOverdue({ done: false, dueOn: '2026-11-22' }, '2026-11-22')).toBe(false)
  expect(isOverdue({ done: false, dueOn: '2026-11-21' }, '2026-11-22')).toBe(true)
  expect(isOverdue({ done: true, dueOn: '2026-11-21' }, '2026-11-22')).toBe(false)
  expect(isOverdue({ done: false, dueOn: null }, '2026-11-22')).toBe(false)
})
