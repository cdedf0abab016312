import type { Db } from '#server/db/database.ts'

/** The error of a process that died. */
export class Killed extends Error {}

const operations = new Set<PropertyKey>(['select', 'selectDistinct', 'insert', 'update', 'delete', 'execute'])

/** A database whose process dies before its nth statement or commit, or right after a commit. */
export function dyingAfter(db: Db, moments: number) {
  let left = moments
  const live = () => {
    left -= 1
    if (left < 0) throw new Killed()
  }
  const wrap = (inner: Db): Db =>
    new Proxy(inner, {
      get(target, name, receiver) {
        if (name === 'transaction') {
          return async (work: (tx: Db) => Promise<unknown>) => {
            const result = await target.transaction(async (tx) => {
              const done = await work(wrap(tx as unknown as Db))
              live()
              return done
            })
            live()
            return result
          }
        }
        if (operations.has(name)) live()
        return Reflect.get(target, name, receiver)
      },
    })
  return { db: wrap(db), used: () => moments - left }
}

/** A fixed order that looks random, so that a failure repeats. */
export const scattered = (count: number, below: number) =>
  Array.from({ length: count }, (_, n) => (n * 7_919 + 13) % below)
