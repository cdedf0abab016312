import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { acceptedStep, newTotp } from './totp.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const now = new Date('2026-03-02T09:00:10Z')
const codeAt = (seconds: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + seconds * 1000 })
const step = Math.floor(now.getTime() / 30_000)

test('a code is valid in its own time step and one before and after', () => {
  expect(acceptedStep(secret, codeAt(0), null, now)).toBe(step)
  expect(acceptedStep(secret, codeAt(-30), null, now)).toBe(step - 1)
  expect(acceptedStep(secret, codeAt(30), null, now)).toBe(step + 1)
  expect(acceptedStep(secret, codeAt(-60), null, now)).toBeNull()
  expect(acceptedStep(secret, codeAt(90), null, now)).toBeNull()
})

test('a used time step and earlier ones are refused', () => {
  expect(acceptedStep(secret, codeAt(0), step, now)).toBeNull()
  expect(acceptedStep(secret, codeAt(-30), step, now)).toBeNull()
  expect(acceptedStep(secret, codeAt(30), step, now)).toBe(step + 1)
})

test('only six digits are a code', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', ' 23456', '１２３４５６']) {
    expect(acceptedStep(secret, code, null, now)).toBeNull()
  }
})

test('the QR code is safe in a data URL', async () => {
  const made = await newTotp({ issuer: 'localhost', account: 'ana+shop@example.test' })
  expect(made.qr_code).toMatch(/^<svg /)
  expect(made.qr_code).not.toMatch(/[#%]/)
  expect(made.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(made.uri).toContain('issuer=localhost')
  expect(
    acceptedStep(made.secret, new TOTP({ secret: Secret.fromBase32(made.secret) }).generate(), null, new Date()),
  ).not.toBeNull()
})
