import { expect, test } from 'vitest'
import { considerOffer, endOffer, isOfferDue, markOfferMade } from './offer.ts'

function storage() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
}

test('a passkey is offered after a password was typed, and only then', () => {
  const storages = { device: storage(), visit: storage() }
  expect(isOfferDue(storages)).toBe(false)
  considerOffer(storages)
  expect(isOfferDue(storages)).toBe(true)
})

test('an offer that was shown lasts for the visit and does not come with the next one', () => {
  const device = storage()
  const first = { device, visit: storage() }
  considerOffer(first)
  markOfferMade(first)
  expect(isOfferDue(first)).toBe(true)
  const second = { device, visit: storage() }
  considerOffer(second)
  expect(isOfferDue(second)).toBe(false)
})

test('an answer ends it at once', () => {
  const storages = { device: storage(), visit: storage() }
  considerOffer(storages)
  endOffer(storages)
  expect(isOfferDue(storages)).toBe(false)
  considerOffer(storages)
  expect(isOfferDue(storages)).toBe(false)
})
