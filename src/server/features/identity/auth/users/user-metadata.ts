import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

export type UserData = Record<string, unknown>

export const userDataField = z.record(z.string(), z.unknown(), { error: 'data must be an object' }).nullish()

/** Metadata is part of each access token, and servers limit headers to 16 kB. */
const maxBytes = 6_000

/** @throws AppError validation_failed */
export function requireMetadataSize(data: UserData): UserData {
  if (Buffer.byteLength(JSON.stringify(data)) > maxBytes) {
    throw new AppError('validation_failed', { message: `User data must not be larger than ${maxBytes} bytes` })
  }
  return data
}

/** Shallow merge; a null deletes its key. */
export function mergeUserData(present: UserData | null, change: UserData): UserData {
  return Object.fromEntries(Object.entries({ ...present, ...change }).filter(([, value]) => value !== null))
}
