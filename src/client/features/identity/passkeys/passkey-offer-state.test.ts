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

test('a passkey is offered only after signing in with a password', () => {
  const storages = { device: storage(), visit: storage() }
  expect(isPasskeyOfferDue(storages)).toBe(false)
  schedulePasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(true)
})

test('an offer that is shown lasts for the visit and isn’t repeated in the next one', () => {
  const device = storage()
  const first = { device, visit: storage() }
  schedulePasskeyOffer(first)
  markPasskeyOfferShown(first)
  expect(isPasskeyOfferDue(first)).toBe(true)
  const second = { device, visit: storage() }
  schedulePasskeyOffer(second)
  expect(isPasskeyOfferDue(second)).toBe(false)
})

test('an answer ends the offer', () => {
  const storages = { device: storage(), visit: storage() }
  schedulePasskeyOffer(storages)
  endPasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(false)
  schedulePasskeyOffer(storages)
  expect(isPasskeyOfferDue(storages)).toBe(false)
})
