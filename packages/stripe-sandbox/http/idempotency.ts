import { createHash } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { RawForm, RawMap } from './decode-form.ts'
import { ApiError, invalid } from './errors.ts'

export type Answer = { status: number; body: string }

const ttlSeconds = 24 * 3600

const sorted = (value: RawForm): unknown =>
  typeof value === 'string'
    ? value
    : Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key] ?? '')])

/** A hash of the parameters that doesn't depend on their order. */
export const digestOf = (params: RawMap): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(params)))
    .digest('hex')

/** @throws ApiError 400 for a key of more than 255 characters */
export function readKey(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  if (header.length > 255) throw invalid('Idempotency keys are limited to 255 characters.')
  return header
}

/**
 * The stored response to the same request, if its key is at most 24 hours old.
 * @throws ApiError 400 `idempotency_error` if the key was used with another path or parameters
 */
export function findAnswer(
  store: Store,
  key: string,
  path: string,
  digest: string,
  nowSeconds: number,
): Answer | undefined {
  const row = store.row('select * from idempotency where key = ?', key)
  if (!row) return undefined
  if (Number(row.created) <= nowSeconds - ttlSeconds) {
    store.run('delete from idempotency where key = ?', key)
    return undefined
  }
  if (row.path !== path || row.digest !== digest) {
    throw new ApiError(
      400,
      'idempotency_error',
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        'Try using a key other than the one given if you meant to execute a different request.',
    )
  }
  return { status: Number(row.status), body: String(row.body) }
}

/** Stores a response in the transaction of its changes. */
export function saveAnswer(
  store: Store,
  key: string,
  path: string,
  digest: string,
  answer: Answer,
  nowSeconds: number,
): void {
  store.run(
    'insert into idempotency values (?, ?, ?, ?, ?, ?)',
    key,
    path,
    digest,
    answer.status,
    answer.body,
    nowSeconds,
  )
}

/** Deletes keys older than 24 hours. */
export const forgetOldKeys = (store: Store, nowSeconds: number): void =>
  void store.run('delete from idempotency where created <= ?', nowSeconds - ttlSeconds)
