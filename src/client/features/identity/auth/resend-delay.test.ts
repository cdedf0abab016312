import { expect, test } from 'vitest'
import { resendDelaySeconds } from './resend-delay.ts'

test('the server says how long to wait before the next email', () => {
  const message = 'For security purposes, you can only request this after 42 seconds.'
  expect(resendDelaySeconds({ code: 'over_email_send_rate_limit', message })).toBe(42)
  expect(resendDelaySeconds({ code: 'over_sms_send_rate_limit', message: 'later' })).toBe(60)
})

test('other errors mean no wait', () => {
  expect(resendDelaySeconds({ code: 'validation_failed', message: 'after 42 seconds' })).toBeNull()
  expect(resendDelaySeconds(null)).toBeNull()
})
