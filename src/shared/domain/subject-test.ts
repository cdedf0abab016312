import { z } from 'zod'
import { minuteMs } from './durations.ts'

/*
 * A subject test: some recipients get the mailing with one of two or three subjects, and the others wait for the one that
 * more readers clicked or replied to.
 */

export const maxOtherSubjects = 2
export const testShares = [10, 20, 30, 40, 50] as const
export const maxTestHours = 48
/** With fewer recipients for each subject no test is made, since chance would decide it. */
export const minReadersPerSubject = 20

export const maxSubjectLength = 400

/** What decides. Replies are those by email that name the delivery. */
export const subjectMeasures = ['clicks', 'replies'] as const
type SubjectMeasure = (typeof subjectMeasures)[number]

export const subjectTestSchema = z.object({
  /** Besides the mailing's own subject. They may be empty while the draft is written. */
  otherSubjects: z.array(z.string().trim().max(maxSubjectLength)).min(1).max(maxOtherSubjects),
  /** Percentage of the recipients who get the test, in equal groups. */
  share: z.int().min(10).max(50),
  /** From the last email of the test to the decision. */
  hours: z.int().min(1, 'Choose at least 1 hour').max(maxTestHours, `Choose at most ${maxTestHours} hours`),
  measure: z.enum(subjectMeasures).default('clicks'),
})
export type SubjectTest = z.infer<typeof subjectTestSchema>

const count = z.int().nonnegative()
/** `replied` is missing if the test isn't decided by replies, or if they couldn't be read. */
export const subjectFiguresSchema = z.object({ sent: count, clicked: count, replied: count.optional() })
export type SubjectFigures = z.infer<typeof subjectFiguresSchema>

export const subjectOutcomes = ['winner', 'cannotTell', 'tooFew', 'notCounted'] as const

export const subjectTestResultSchema = z.object({
  /** When each email of the test had been tried; null until then. */
  testedAt: z.iso.datetime().nullable(),
  /** Since when the decision has been due without all replies being read. */
  repliesAwaitedSince: z.iso.datetime().optional(),
  decision: z
    .object({
      at: z.iso.datetime(),
      /** What decided. Missing in decisions of servers that only knew clicks. */
      measure: z.enum(subjectMeasures).optional(),
      outcome: z.enum(subjectOutcomes),
      /** Why we can't tell, if not because of the figures. */
      problem: z.literal('repliesNotRead').optional(),
      /** Index of the subject for all others. Without a winner, 0: the mailing's own. */
      winner: z.int().min(0).max(maxOtherSubjects),
      /** By subject, at the time of the decision. Empty if no test was made. */
      figures: z.array(subjectFiguresSchema),
    })
    .nullable(),
})
export type SubjectTestResult = z.infer<typeof subjectTestResultSchema>

/** The subjects to test, the mailing's own first: each once and none that is empty. */
export function testedSubjects(subject: string, test: SubjectTest | null): string[] {
  const subjects = [subject, ...(test?.otherSubjects ?? [])]
  const isFirst = (text: string, index: number) => subjects.findIndex((other) => keyOf(other) === keyOf(text)) === index
  return subjects.filter((text, index) => index === 0 || (text.trim() !== '' && isFirst(text, index)))
}

/** Subjects that differ only in case or spaces look the same in an inbox. */
const keyOf = (subject: string) => subject.trim().replace(/\s+/g, ' ').toLowerCase()

/** The others wait for the test's result, which would take readers past the 24 hours. */
export const testWithHoursProblem = 'A subject test and readers’ own hours can’t be combined. Turn one of them off.'

/** Why a mailing with this test can't be sent, or null. */
export function problemOfSubjectTest(
  subject: string,
  test: SubjectTest | null,
  { tracked, readerHours, repliesRead }: { tracked: boolean; readerHours: boolean; repliesRead: boolean },
): string | null {
  if (!test) return null
  if (readerHours) return testWithHoursProblem
  if (test.otherSubjects.some((text) => text.trim() === '')) return 'Enter each subject of the test, or remove it.'
  if (testedSubjects(subject, test).length <= test.otherSubjects.length) {
    return 'The subjects of the test have to differ. Change one of them.'
  }
  if (test.measure === 'replies') {
    return repliesRead ? null : 'Replies by email aren’t read here. Choose the best subject by clicks instead.'
  }
  return tracked
    ? null
    : 'A subject test compares clicks. Turn on “Count opens and clicks” in the newsletter settings first.'
}

/** Why too few of these readers would be in the test, as `startSubjectTest` will find, or null. */
export function problemOfTestSize(recipients: number, subjects: number, share: number): string | null {
  if (readersPerSubject(recipients, subjects, share) > 0) return null
  const tested = Math.floor((recipients * share) / 100)
  const larger = testShares.find((each) => readersPerSubject(recipients, subjects, each) > 0)
  const are = tested === 1 ? '1 reader is' : `${tested} readers are`
  const size = `In the test, ${are} too few for ${subjects === 2 ? 'two' : 'three'} subjects; ${minReadersPerSubject * subjects} would do.`
  return `${size} ${larger ? `Choose ${larger}% of the readers, or everyone gets` : 'Everyone gets'} the first subject.`
}

/** Recipients of each subject in the test; 0 if there are too few for one. */
export function readersPerSubject(recipients: number, subjects: number, share: number): number {
  const each = Math.floor((recipients * share) / 100 / subjects)
  return each < minReadersPerSubject ? 0 : each
}

/**
 * Two-sided critical values of the normal distribution for an error of 5%, divided by the number of pairs compared
 * (Bonferroni).
 */
const criticalZ: Record<number, number> = { 2: 1.96, 3: 2.394 }
/** The normal approximation needs this many expected clicks or replies, and readers without one, for each subject. */
const minExpected = 5

/**
 * Says which subject more readers clicked or replied to. The best has to beat each other one in a two-proportion test;
 * otherwise the difference may be chance, and the first goes out.
 */
export function decideSubject(
  figures: readonly SubjectFigures[],
  measure: SubjectMeasure,
): { winner: number; outcome: 'winner' | 'cannotTell' } {
  const groups = figures.map((each) => ({ sent: each.sent, counted: countedFor(measure, each) }))
  const rate = ({ sent, counted }: Group) => (sent === 0 ? 0 : counted / sent)
  const best = groups.reduce<number>((top, each, index) => (rate(each) > rate(groups[top] ?? each) ? index : top), 0)
  const bestGroup = groups[best]
  const z = criticalZ[groups.length]
  const isClear =
    bestGroup !== undefined &&
    z !== undefined &&
    groups.every((each, index) => index === best || isBetter(bestGroup, each, z))
  return isClear ? { winner: best, outcome: 'winner' } : { winner: 0, outcome: 'cannotTell' }
}

/** Readers who clicked or replied. */
export const countedFor = (measure: SubjectMeasure, { clicked, replied = 0 }: SubjectFigures): number =>
  measure === 'replies' ? replied : clicked

type Group = { sent: number; counted: number }

/** Two-proportion z-test with pooled variance. */
function isBetter(a: Group, b: Group, critical: number): boolean {
  const pooled = (a.counted + b.counted) / (a.sent + b.sent)
  const expected = [a.sent, b.sent].flatMap((sent) => [sent * pooled, sent * (1 - pooled)])
  if (!expected.every((each) => each >= minExpected)) return false
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / a.sent + 1 / b.sent))
  return (a.counted / a.sent - b.counted / b.sent) / deviation > critical
}

/** The mailbox is read every three minutes. After this time it counts as unavailable. */
const maxReplyWaitMs = 15 * minuteMs

type ReplyReading = {
  /** When the test is to be decided. */
  due: Date
  now: Date
  /** Everything that arrived before this time was read; null if nothing was. */
  readThrough: Date | null
  /** When it was first seen that replies are missing; null if this is the first time. */
  awaitedSince: Date | null
}

/**
 * Says whether all replies that arrived before `due` have been read. The wait begins when the server first looks after
 * `due`, so that one that was off at that time can still read them.
 */
export function replyReading({ due, now, readThrough, awaitedSince }: ReplyReading): 'done' | 'waiting' | 'failed' {
  // A time in the future is of a clock that was set back since.
  if (readThrough && readThrough >= due && readThrough <= now) return 'done'
  return awaitedSince && now.getTime() - awaitedSince.getTime() >= maxReplyWaitMs ? 'failed' : 'waiting'
}
