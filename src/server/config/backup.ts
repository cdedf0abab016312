import { z } from 'zod'
import { httpUrl, list, withoutSlash } from './env-schemas.ts'
import type { S3Config } from './media.ts'

export type BackupDestinationConfig = { kind: 'folder'; directory: string } | (S3Config & { prefix: string })

export type BackupConfig = {
  destination: BackupDestinationConfig
  /** Daily backups and weekly drills, if a destination is set. */
  isScheduled: boolean
  /** Encrypts backups. Null in production without BACKUP_KEY: no backups. The sandbox generates one in the data directory. */
  key: { kind: 'given'; value: string } | { kind: 'file'; file: string } | null
  /** Earlier keys, for restoring older backups. */
  previousKeys: string[]
  /** How many days, weeks and months have a backup. */
  keep: { daily: number; weekly: number; monthly: number }
  /** PostgreSQL server for the drill's temporary database. Default: the database's own server. */
  drillDatabaseUrl: string | null
}

const count = z.coerce.number().int().min(1).max(1000)
const key = z.string().min(32, 'must have at least 32 characters')

export const backupVariables = {
  BACKUP_DESTINATION: z
    .string()
    .regex(/^(s3:\/\/[^/]+(\/.*)?|(?!\w+:\/\/).+)$/, 'must be a folder or s3://bucket/prefix')
    .optional(),
  BACKUP_KEY: key.optional(),
  BACKUP_KEY_FORMER: list
    .refine((keys) => keys.every((each) => each.length >= 32), 'each must have at least 32 characters')
    .default([]),
  BACKUP_KEEP_DAILY: count.default(7),
  BACKUP_KEEP_WEEKLY: count.default(4),
  BACKUP_KEEP_MONTHLY: count.default(6),
  BACKUP_S3_ENDPOINT: httpUrl.transform(withoutSlash).optional(),
  BACKUP_S3_REGION: z.string().min(1).optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  BACKUP_DRILL_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
}

const variables = z.object(backupVariables)
type Values = z.infer<typeof variables> & {
  S3_ENDPOINT?: string
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
}

export function backupConfig(values: Values, { dataDirectory, sandbox }: { dataDirectory: string; sandbox: boolean }) {
  const generated = sandbox ? ({ kind: 'file', file: `${dataDirectory}/backup.key` } as const) : null
  return {
    destination: destinationConfig(values, dataDirectory),
    isScheduled: values.BACKUP_DESTINATION !== undefined,
    key: values.BACKUP_KEY ? { kind: 'given', value: values.BACKUP_KEY } : generated,
    previousKeys: values.BACKUP_KEY_FORMER,
    keep: {
      daily: values.BACKUP_KEEP_DAILY,
      weekly: values.BACKUP_KEEP_WEEKLY,
      monthly: values.BACKUP_KEEP_MONTHLY,
    },
    drillDatabaseUrl: values.BACKUP_DRILL_DATABASE_URL ?? null,
  } satisfies BackupConfig
}

function destinationConfig(values: Values, dataDirectory: string): BackupDestinationConfig {
  const given = values.BACKUP_DESTINATION
  const s3 = given?.match(/^s3:\/\/([^/]+)\/?(.*)$/)
  if (!s3) return { kind: 'folder', directory: given ?? `${dataDirectory}/backups` }
  const [, bucket = '', prefix = ''] = s3
  return {
    kind: 's3',
    endpoint: values.BACKUP_S3_ENDPOINT ?? values.S3_ENDPOINT ?? '',
    region: values.BACKUP_S3_REGION ?? values.S3_REGION,
    bucket,
    accessKeyId: values.BACKUP_S3_ACCESS_KEY_ID ?? values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.BACKUP_S3_SECRET_ACCESS_KEY ?? values.S3_SECRET_ACCESS_KEY ?? '',
    prefix: prefix && `${withoutSlash(prefix)}/`,
  }
}

export function backupConfigErrors(values: Values, sandbox: boolean): string[] {
  const { BACKUP_DESTINATION: destination } = values
  if (!destination) return []
  const problems: string[] = []
  if (!(values.BACKUP_KEY || sandbox)) {
    problems.push('BACKUP_KEY: missing (at least 32 random characters; without it, no backup can be restored)')
  }
  if (!destination.startsWith('s3://')) return problems
  for (const name of ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (!(values[`BACKUP_${name}`] ?? values[name])) problems.push(`BACKUP_${name}: missing`)
  }
  return problems
}
