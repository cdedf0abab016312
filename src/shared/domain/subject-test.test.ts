import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decideSubject,
  problemOfSubjectTest,
  problemOfTestSize,
  readersPerSubject,
  replyReading,
  subjectTestSchema,
  testedSubjects,
  testShares,
} from './subject-test.ts'

const figures = (...pairs: [clicked: number, sent: number][]) => pairs.map(([clicked, sent]) => ({ clicked, sent }))

test.for([
  ['a clear difference', figures([40, 500], [80, 500]), 1, 'winner'],
  ['a clear difference, the first ahead', figures([80, 500], [40, 500]), 0, 'winner'],
  ['a difference that chance makes', figures([40, 500], [52, 500]), 0, 'cannotTell'],
  ['no difference', figures([40, 500], [40, 500]), 0, 'cannotTell'],
  ['no clicks', figures([0, 500], [0, 500]), 0, 'cannotTell'],
  ['clicks by everyone', figures([30, 30], [30, 30]), 0, 'cannotTell'],
  ['few clicks, however far apart', figures([0, 500], [7, 500]), 0, 'cannotTell'],
  ['nothing sent', figures([0, 0], [0, 0]), 0, 'cannotTell'],
  ['nothing sent with one of them', figures([0, 0], [50, 100]), 0, 'cannotTell'],
  ['one of three ahead of both', figures([40, 500], [45, 500], [90, 500]), 2, 'winner'],
  ['two of three ahead', figures([40, 500], [88, 500], [90, 500]), 0, 'cannotTell'],
  ['enough for two subjects, but not for three', figures([40, 500], [60, 500], [10, 500]), 0, 'cannotTell'],
] as const)('With %s the decision is right', ([, given, winner, outcome]) => {
  expect(decideSubject(given, 'clicks')).toEqual({ winner, outcome })
  const replies = given.map(({ clicked, sent }) => ({ sent, clicked: sent - clicked, replied: clicked }))
  expect(decideSubject(replies, 'replies')).toEqual({ winner, outcome })
})

test('The same clicks that win between two subjects don’t suffice among three', () => {
  expect(decideSubject(figures([40, 500], [60, 500]), 'clicks').outcome).toBe('winner')
  expect(decideSubject(figures([40, 500], [60, 500], [40, 500]), 'clicks').outcome).toBe('cannotTell')
})

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test.for([2, 3])('Of %i subjects that are equally good, one wins in at most about 5%% of tests', (subjects) => {
  const random = randomNumbers(7)
  const clicks = () => {
    let clicked = 0
    for (let n = 0; n < 400; n += 1) if (random() < 0.1) clicked += 1
    return clicked
  }
  let winners = 0
  for (let n = 0; n < 2_000; n += 1) {
    const given = Array.from({ length: subjects }, () => ({ sent: 400, clicked: clicks() }))
    if (decideSubject(given, 'clicks').outcome === 'winner') winners += 1
  }
  expect(winners / 2_000).toBeLessThan(0.065)
  expect(winners).toBeGreaterThan(0)
})

test('A winner always has the highest share, and a decision doesn’t depend on the order of the others', () => {
  const group = fc.nat(400).chain((clicked) => fc.record({ clicked: fc.constant(clicked), sent: fc.constant(400) }))
  fc.assert(
    fc.property(fc.array(group, { minLength: 2, maxLength: 3 }), (given) => {
      const { winner, outcome } = decideSubject(given, 'clicks')
      if (outcome === 'cannotTell') return winner === 0
      const reversed = decideSubject(given.toReversed(), 'clicks')
      return (
        given.every(({ clicked }, index) => index === winner || clicked < (given[winner]?.clicked ?? 0)) &&
        reversed.winner === given.length - 1 - winner
      )
    }),
  )
})

test('Subjects that are empty or look the same in an inbox are no test', () => {
  const of = (...otherSubjects: string[]) => ({ otherSubjects, share: 20, hours: 4, measure: 'clicks' as const })
  expect(testedSubjects('Win back a guest', of('win back  a guest ', '', 'Three replies'))).toEqual([
    'Win back a guest',
    'Three replies',
  ])
  const counted = { tracked: true, readerHours: false, repliesRead: false }
  expect(problemOfSubjectTest('A', null, { ...counted, tracked: false, readerHours: true })).toBeNull()
  expect(problemOfSubjectTest('A', of('B'), counted)).toBeNull()
  expect(problemOfSubjectTest('A', of('B', ' '), counted)).toMatch(/Enter each subject/)
  expect(problemOfSubjectTest('A', of('a'), counted)).toMatch(/have to differ/)
  expect(problemOfSubjectTest('A', of('B', 'b'), counted)).toMatch(/have to differ/)
  expect(problemOfSubjectTest('A', of('B'), { ...counted, tracked: false })).toMatch(/compares clicks/)
  expect(problemOfSubjectTest('A', of('B'), { ...counted, readerHours: true })).toMatch(/can’t be combined/)
  const byReplies = { ...of('B'), measure: 'replies' } as const
  expect(problemOfSubjectTest('A', byReplies, counted)).toMatch(/aren’t read here/)
  expect(problemOfSubjectTest('A', byReplies, { ...counted, tracked: false, repliesRead: true })).toBeNull()
})

test('Groups are equal, at most the share, and there is none for too few recipients', () => {
  expect(readersPerSubject(1_000, 2, 20)).toBe(100)
  expect(readersPerSubject(1_000, 3, 20)).toBe(66)
  expect(readersPerSubject(199, 2, 20)).toBe(0)
  expect(readersPerSubject(2, 3, 50)).toBe(0)
})

test.for([
  ['no other subject', { otherSubjects: [] }],
  ['four subjects', { otherSubjects: ['B', 'C', 'D'] }],
  ['more than half of the recipients', { share: 60 }],
  ['no hours', { hours: 0 }],
  ['hours beyond the limit', { hours: 49 }],
  ['a part of an hour', { hours: 1.5 }],
] as const)('A test with %s is refused', ([, change]) => {
  expect(subjectTestSchema.safeParse({ otherSubjects: ['B'], share: 20, hours: 4, ...change }).success).toBe(false)
})

test('A test that doesn’t say what decides is decided by clicks', () => {
  expect(subjectTestSchema.parse({ otherSubjects: ['B'], share: 20, hours: 4 }).measure).toBe('clicks')
})

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 9, minutes))
const readings: [string, Partial<Parameters<typeof replyReading>[0]>, string][] = [
  ['everything up to then was read', { readThrough: at(0) }, 'done'],
  ['everything was read later', { now: at(40), readThrough: at(33), awaitedSince: at(1) }, 'done'],
  ['the last run was before', { readThrough: at(-1) }, 'waiting'],
  ['nothing was read yet', {}, 'waiting'],
  ['the mailbox has been unavailable for a while', { now: at(15), awaitedSince: at(1) }, 'waiting'],
  ['the mailbox has been unavailable for long', { now: at(16), readThrough: at(-1), awaitedSince: at(1) }, 'failed'],
  ['the server was off for a day', { now: at(1440), readThrough: at(-1) }, 'waiting'],
  ['the clock was set back since it was read', { readThrough: at(90) }, 'waiting'],
  ['the clock was set back while waiting', { awaitedSince: at(90) }, 'waiting'],
]
test.for(readings)('If %s, the reading of replies is right', ([, given, expected]) => {
  expect(replyReading({ due: at(0), now: at(2), readThrough: null, awaitedSince: null, ...given })).toBe(expected)
})

test('a test with too few readers says so, with the number that would do, exactly if none would be made', () => {
  expect(problemOfTestSize(130, 2, 20)).toBe(
    'In the test, 26 readers are too few for two subjects; 40 would do. Choose 40% of the readers, or everyone gets the first subject.',
  )
  expect(problemOfTestSize(26, 3, 50)).toBe(
    'In the test, 13 readers are too few for three subjects; 60 would do. Everyone gets the first subject.',
  )
  fc.assert(
    fc.property(fc.nat(2_000), fc.constantFrom(2, 3), fc.constantFrom(...testShares), (readers, subjects, share) => {
      expect(problemOfTestSize(readers, subjects, share) === null).toBe(readersPerSubject(readers, subjects, share) > 0)
    }),
  )
})
