import { expect, test } from 'vitest'
import { findBackupProblem } from './find-backup-problem.ts'

const now = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
const backup = (days: number, more: Partial<Parameters<typeof findBackupProblem>[0][number]> = {}) => ({
  status: 'done',
  startedAt: daysAgo(days),
  error: null,
  drilledAt: null,
  drillPassed: null,
  drillError: null,
  ...more,
})
const find = (...backups: ReturnType<typeof backup>[]) => findBackupProblem(backups, { isScheduled: true, now })
const failed = { status: 'failed', error: 'The disk is full.' }

test('a recent backup is fine, also while another one is running', () => {
  expect(find(backup(0.5))).toBeNull()
  expect(find(backup(0, { status: 'running' }), backup(1))).toBeNull()
  expect(find()).toBeNull()
})

test('failures are one problem, which starts with the first one', () => {
  const problem = { kind: 'failed', since: daysAgo(2).toISOString(), error: 'The disk is full.' }
  expect(find(backup(1, failed), backup(2, failed), backup(3), backup(4, failed))).toEqual(problem)
  expect(find(backup(1, failed), backup(2, failed))).toEqual(problem)
  expect(find(backup(0, failed), backup(1, failed), backup(2, failed), backup(3))).toEqual(problem)
})

test('no backup for more than two days is a problem if they are scheduled', () => {
  expect(find(backup(2.2))).toEqual({ kind: 'overdue', since: daysAgo(2.2).toISOString(), error: null })
  expect(findBackupProblem([backup(9)], { isScheduled: false, now })).toBeNull()
})

test('a failed drill is a problem until one passes', () => {
  const drill = (days: number, drillPassed: boolean) => ({
    drilledAt: daysAgo(days),
    drillPassed,
    drillError: drillPassed ? null : 'The backup is damaged.',
  })
  expect(find(backup(0), backup(1, drill(1, false)), backup(8, drill(8, false)), backup(15, drill(15, true)))).toEqual({
    kind: 'drillFailed',
    since: daysAgo(8).toISOString(),
    error: 'The backup is damaged.',
  })
  expect(find(backup(0, drill(0, true)), backup(7, drill(7, false)))).toBeNull()
})
