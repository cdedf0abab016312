import type { WebResponse } from '../http/server.ts'
import { randomText } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import { redirect } from './layout.ts'
import type { PageCall } from './router.ts'

/** A message about the submitted form, and its field values to show again. */
export type Flash = {
  done?: string
  error?: string
  /** Name of the invalid field. */
  wrong?: string
  name?: string
  email?: string
  code?: string
}

const flashLifetimeSeconds = 86_400

/** Removes card numbers that were typed into other fields, so that they aren't stored. */
const withoutNumbers = (text: string): string => (/\d{12}/.test(text.replace(/[\s-]/g, '')) ? '' : text)

/**
 * Responds to a form with a redirect to `address`, where `readFlash` reads the message, so that reloading or going back
 * doesn't submit the form again.
 * @param address a path without a query
 */
export function redirectWithFlash(tx: Tx, address: string, said: Flash): WebResponse {
  const id = randomText(22)
  const kept = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, withoutNumbers(text ?? '')]))
  tx.store.run('insert into said values (?, ?, ?, ?)', id, address, JSON.stringify(kept), Math.floor(tx.wallMs / 1000))
  return redirect(`${address}?said=${id}`)
}

/** The message for this page, if a form redirected to it. */
export function readFlash({ tx, field }: Pick<PageCall, 'tx' | 'field'>, address: string): Flash {
  const row = tx.store.row('select json from said where id = ? and address = ?', field('said'), address)
  return row ? (JSON.parse(String(row.json)) as Flash) : {}
}

/** Deletes expired messages. */
export const deleteExpiredFlashes = (store: Tx['store'], nowSeconds: number): void =>
  void store.run('delete from said where at < ?', nowSeconds - flashLifetimeSeconds)
