import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()

const backupSchema = z.object({
  id: z.uuid(),
  /** File name. */
  name: z.string(),
  destination: z.string(),
  origin: z.enum(['schedule', 'admin', 'command', 'found']),
  status: z.enum(['running', 'done', 'failed']),
  error: z.string().nullable(),
  startedAt: instant,
  finishedAt: instant.nullable(),
  bytes: z.number().int().nullable(),
  rows: z.number().int().nullable(),
  files: z.number().int().nullable(),
  /** Files that the file store didn't have. */
  missingFiles: z.number().int().nullable(),
  /** The newest drill with this backup. */
  drill: z.object({ at: instant, passed: z.boolean(), error: z.string().nullable() }).nullable(),
  /** When retention deleted the file. */
  deletedAt: instant.nullable(),
})
export type Backup = z.infer<typeof backupSchema>

/** Problems that owners are told about by email, once. */
export const backupProblemSchema = z.object({
  kind: z.enum(['failed', 'drillFailed', 'overdue']),
  since: instant,
  error: z.string().nullable(),
})
export type BackupProblem = z.infer<typeof backupProblemSchema>

export const adminBackupsCall = defineAdminCall({
  name: 'admin-backups',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({
    /** Newest first, at most 100. */
    items: z.array(backupSchema),
    /** Where backups are stored. */
    destination: z.string(),
    /** True if daily backups are set up. */
    isScheduled: z.boolean(),
    /** Where the key is: a variable, or a file in the data directory; null if there is none. */
    key: z.enum(['variable', 'file']).nullable(),
    keep: z.object({ daily: z.number().int(), weekly: z.number().int(), monthly: z.number().int() }),
    problem: backupProblemSchema.nullable(),
    /** After a restore or an import, automatic email is on hold until an owner resumes it. */
    hold: z.object({ backupAt: instant, restoredAt: instant, from: z.enum(['backup', 'archive']) }).nullable(),
  }),
})
export type BackupsPage = z.infer<typeof adminBackupsCall.output>

export const adminStartBackupCall = defineAdminCall({
  name: 'admin-start-backup',
  roles: ['owner'],
  stepUp: true,
  input: z.object({}),
  output: z.object({}),
})

export const adminResumeEmailCall = defineAdminCall({
  name: 'admin-resume-email',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-backups', 'admin-sending-settings'],
  input: z.object({}),
  output: z.object({}),
})
