import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { loggableError } from './logger.ts'

test('a failed query is logged without its parameters', () => {
  const cause = Object.assign(new Error('connection refused'), {
    code: '08006',
    detail: 'Key (email)=(ana@example.test)',
  })
  const logged = loggableError(
    new DrizzleQueryError('insert … values ($1)', ['$argon2id$secret', 'ana@example.test'], cause),
  )
  expect(logged).toMatchObject({ message: 'connection refused', errorCode: '08006' })
  expect(JSON.stringify(logged)).not.toMatch(/argon2id|ana@example/)
})
