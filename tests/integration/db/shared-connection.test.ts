import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSharedConnection, type SharedConnection } from '#server/db/shared-connection.ts'

const url = process.env.DATABASE_URL ?? ''
const whoAmI = 'select pg_backend_pid() as pid'
const lost: Error[] = []
let shared: SharedConnection

beforeAll(() => {
  shared = openSharedConnection(url, (error) => void lost.push(error))
})
afterAll(() => shared.close())

const pidOf = async () => (await shared.read<{ pid: number }>('who', whoAmI, []))[0]?.pid

test.runIf(url)('a burst of reads uses one connection and returns each result to its caller', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  const answers = await Promise.all(
    numbers.map((n) =>
      shared.read<{ n: number; pid: number }>('burst', 'select $1::int as n, pg_backend_pid() as pid', [n]),
    ),
  )
  expect(answers.map(([row]) => row?.n)).toEqual(numbers)
  expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(1)
})

test.runIf(url)('a database error rejects only its own read, each with its reason', async () => {
  const wrong = () => shared.read('wrong', 'select 1 where $1::uuid is true', ['x'])
  const results = await Promise.allSettled([
    wrong(),
    pidOf(),
    wrong(),
    shared.read('division', 'select 1 / $1::int', [0]),
  ])
  expect(results.map((result) => (result.status === 'rejected' ? result.reason.code : 'read'))).toEqual([
    '42804',
    'read',
    '42804',
    '22012',
  ])
  expect(await pidOf()).toBeTypeOf('number')
})

test.runIf(url)('a broken connection fails the reads in progress, and the next read opens another', async () => {
  const before = await pidOf()
  const waiting = expect(shared.read('sleep', 'select pg_sleep($1::int)', [60])).rejects.toThrow()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('select pg_terminate_backend($1)', [before])
  await other.end()
  await waiting
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  expect(await pidOf()).not.toBe(before)
})

test.runIf(url)('a closed one refuses reads', async () => {
  const own = openSharedConnection(url, () => {})
  await own.close()
  await expect(own.read('who', whoAmI, [])).rejects.toThrow('closed')
})
