import type { WebResponse } from '../http/server.ts'
import { randomText } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import { redirect } from './layout.ts'
import type { PageCall } from './router.ts'

/** What a page tells about the form that was sent, and the fields to be filled in again. */
export type Said = {
  done?: string
  error?: string
  /** Name of the field that the error is about. */
  wrong?: string
  name?: string
  email?: string
  code?: string
}

const keptSeconds = 86_400

/** Whoever types a card number into some other field does not find it stored either. */
const withoutNumbers = (text: string): string => (/\d{12}/.test(text.replace(/[\s-]/g, '')) ? '' : text)

/**
 * Answers a form: the browser goes on with a GET of `address`, where `saidAt` finds the words again, so that neither a
 * reload nor the way back sends the form a second time.
 * @param address a path without a query
 */
export function say(tx: Tx, address: string, said: Said): WebResponse {
  const id = randomText(22)
  const kept = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, withoutNumbers(text ?? '')]))
  tx.store.run('insert into said values (?, ?, ?, ?)', id, address, JSON.stringify(kept), Math.floor(tx.wallMs / 1000))
  return redirect(`${address}?said=${id}`)
}

/** What is to be told on the page of this address, if it was reached through a form. */
export function saidAt({ tx, field }: Pick<PageCall, 'tx' | 'field'>, address: string): Said {
  const row = tx.store.row('select json from said where id = ? and address = ?', field('said'), address)
  return row ? (JSON.parse(String(row.json)) as Said) : {}
}

/** Forgets what nobody will ask for any more. */
export const forgetSaid = (store: Tx['store'], nowSeconds: number): void =>
  void store.run('delete from said where at < ?', nowSeconds - keptSeconds)
