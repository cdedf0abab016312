import { z } from 'zod'
import { httpUrl, withoutSlash } from './env-schemas.ts'

export type S3Config = {
  kind: 's3'
  /** Origin of the store; the bucket is part of the path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Stores images and guide files. Nodes must share the store or folder. */
export type MediaConfig = { kind: 'disk'; directory: string } | S3Config

/** What a recording of a drop may have at most. */
export type RecordingLimits = { bytes: number; seconds: number }

export const mediaVariables = {
  RECORDING_MAX_MB: z.coerce.number().int().min(1).max(2_000).default(500),
  RECORDING_MAX_HOURS: z.coerce.number().min(0.1).max(24).default(4),
  S3_ENDPOINT: httpUrl.transform(withoutSlash).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
}

const variables = z.object(mediaVariables)
type Values = z.infer<typeof variables>

export function mediaConfig(values: Values, dataDirectory: string): MediaConfig {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return { kind: 'disk', directory: `${dataDirectory}/media` }
  }
  return {
    kind: 's3',
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}

const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

export function mediaConfigErrors(values: Values): string[] {
  const missing = needed.filter((name) => !values[name])
  if (missing.length === needed.length) return []
  return missing.map((name) => `${name}: missing (object storage needs all of ${needed.join(', ')})`)
}
