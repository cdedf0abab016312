import { cardByNumber, passesLuhn, type TestCard, testCards } from '../billing/cards.ts'
import { type Html, html } from './layout.ts'
import type { PageCall } from './router.ts'

export type TypedCard = { card: TestCard; expMonth: number; expYear: number; name: string }
export type CardReading = { ok: true; card: TypedCard } | { ok: false; field: string; message: string }

const neverReal =
  'This is a sandbox: only the listed test cards work. Never enter a real card number. It wasn’t stored.'

function readExpiry(text: string, nowMs: number): { month: number; year: number } | string {
  const match = /^\s*(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})\s*$/.exec(text)
  const month = Number(match?.[1])
  const year = Number(match?.[2]) + (match?.[2]?.length === 2 ? 2000 : 0)
  if (!match || month < 1 || month > 12) return 'Enter the expiration date as month and year, such as 12 / 34.'
  const now = new Date(nowMs)
  const past = year < now.getUTCFullYear() || (year === now.getUTCFullYear() && month < now.getUTCMonth() + 1)
  if (past) return "Your card's expiration date is in the past."
  return year > now.getUTCFullYear() + 50 ? "Your card's expiration year is invalid." : { month, year }
}

/** Reads the card fields of a form. Accepts only test numbers and stores no part of others. */
export function readCard(field: PageCall['field'], nowMs: number): CardReading {
  const number = field('number').replace(/[\s-]/g, '')
  const refuse = (name: string, message: string): CardReading => ({ field: name, message, ok: false })
  if (number === '') return refuse('number', 'Your card number is missing.')
  const card = cardByNumber(number)
  if (!card) return refuse('number', passesLuhn(number) ? neverReal : `Your card number is incorrect. ${neverReal}`)
  const expiry = readExpiry(field('expiry'), nowMs)
  if (typeof expiry === 'string') return refuse('expiry', expiry)
  const digits = card.brand === 'amex' ? 4 : 3
  if (!new RegExp(`^\\d{${digits}}$`).test(field('cvc').trim()))
    return refuse('cvc', "Your card's security code is incomplete.")
  return {
    card: { card, expMonth: expiry.month, expYear: expiry.year, name: field('name').trim().slice(0, 200) },
    ok: true,
  }
}

export type CardFieldsState = { wrong?: string | undefined; name?: string }

const grouped = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ')

/** Number, expiry, CVC and name. */
export function cardFields({ wrong, name = '' }: CardFieldsState): Html {
  const mark = (field: string): Html | false => wrong === field && html` aria-invalid="true"`
  return html`
<div class="field">
  <label for="number">Card number</label>
  <input id="number" name="number" inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="30" required aria-describedby="number-hint"${mark('number')}>
  <p class="hint" id="number-hint">A test number such as 4242 4242 4242 4242. Never a real one.</p>
</div>
<div class="pair">
  <div class="field">
    <label for="expiry">Expiry</label>
    <input id="expiry" name="expiry" inputmode="numeric" autocomplete="off" maxlength="9" required placeholder="MM / YY"${mark('expiry')}>
  </div>
  <div class="field">
    <label for="cvc">CVC</label>
    <input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" required placeholder="123"${mark('cvc')}>
  </div>
</div>
<div class="field">
  <label for="name">Name on card</label>
  <input id="name" name="name" autocomplete="off" maxlength="200" value="${name}">
</div>`
}

/** Buttons that fill in test cards, shown if scripts run. Must be inside the form. */
export const testCardButtons = (): Html => html`
<fieldset class="helper" hidden data-test-cards>
  <legend>Fill in a test card</legend>
  <div class="chips">
    ${testCards.map((card) => html`<button type="button" data-number="${grouped(card.number)}" data-cvc="${card.brand === 'amex' ? '1234' : '123'}">${card.label} <span>…${card.number.slice(-4)}</span></button>`)}
  </div>
</fieldset>
`
