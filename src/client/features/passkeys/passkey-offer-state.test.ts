import { expect, test } from 'vitest'
import {
  endPasskeyOffer,
  isPasskeyOfferDue,
  markPasskeyOfferShown,
  schedulePasskeyOffer,
} from './passkey-offer-state.ts'

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
  expect(isPasskeyOfferDue(storages)).toBe(false)
  schedulePasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(true)
})

test('an offer that was shown lasts for the visit and does not come with the next one', () => {
  const device = storage()
  const first = { device, visit: storage() }
  schedulePasskeyOffer(first)
  markPasskeyOfferShown(first)
  expect(isPasskeyOfferDue(first)).toBe(true)
  const second = { device, visit: storage() }
  schedulePasskeyOffer(second)
  expect(isPasskeyOfferDue(second)).toBe(false)
})

test('an answer ends it at once', () => {
  const storages = { device: storage(), visit: storage() }
  schedulePasskeyOffer(storages)
  endPasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(false)
  schedulePasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(false)
})
