import { describe, expect, test } from 'vitest'
import { classifyBounce } from './classify-bounce.ts'

describe('a refusal of our server, sender, content or rate blames nobody’s address', () => {
  test.each([
    [
      '5.1.0',
      '550 5.1.0 <bounces+x@news.example.net> sender rejected. Refer to the error codes at https://www.example.com',
    ],
    ['5.1.1', '550 5.7.1 IP address blacklisted by recipient'],
    ['5.1.1', '550 Your IP 192.0.2.1 is banned'],
    ['5.1.1', '550 5.1.1 Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['5.1.1', '554 5.1.1 Rejected - bulk email'],
    ['5.1.1', '550 5.1.1 Message content rejected'],
    ['5.1.2', '550 5.1.2 Sender domain does not exist'],
    ['5.1.1', '550 Sender address rejected: Domain not found'],
    ['5.1.1', '550 5.1.1 Too many messages from your network today'],
    ['5.1.1', '550 5.1.1 Connection rate limit exceeded'],
    ['5.1.1', '550 Daily sending limit exceeded'],
    ['5.1.1', '550 SPF check failed'],
    ['5.0.0', '550-Requested action not taken: mailbox unavailable 550-Reject due to policy restrictions.'],
    [
      '5.1.351',
      '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 5.7.1 Service unavailable',
    ],
    ['5.2.1', '554 5.7.1 Access denied, your server has no reverse DNS'],
    ['5.7.26', '550-5.7.26 This mail is unauthenticated'],
    ['5.3.4', '552 5.3.4 Message size exceeds fixed limit'],
    ['5.1.1', '550 5.1.1 Mail from 192.0.2.1 rejected'],
    ['5.1.1', '550 5.1.1 Mail from this server is not wanted'],
    ['5.1.1', '550 5.1.1 Invalid MAIL FROM'],
    ['5.1.1', '550 5.1.1 No valid MX for the sender’s domain'],
    ['5.1.1', '550 5.1.1 Service not available, listed at bl.example.net'],
    ['5.1.1', '550 5.1.1 Connection refused from your region'],
    ['5.1.1', '550 5.1.1 Country blocked'],
    ['5.1.1', '550 5.1.1 Junk mail'],
    ['5.1.1', '550 5.1.1 Unknown user or IP not whitelisted'],
    ['5.2.1', '550 5.2.1 The user is receiving mail at a rate that prevents additional messages'],
    ['5.1.3', '550 5.1.3 <x@example.test>: 192.0.2.1 is listed, see https://bl.example.net'],
    ['5.1.3', '550 5.1.3 Your address is listed'],
    ['5.1.1', '550 5.1.1 The sender is on our block list'],
    ['5.1.1', '554 5.1.1 Connection refused'],
    ['5.0.0', 'message too large for peer'],
    ['5.0.0', 'message is too big (transport limit = 1)'],
    ['5.2.3', '552 5.2.3 Message size exceeds the limit of this mailbox'],
    ['5.2.3', ''],
    ['5.3.4', ''],
    ['4.7.0', '421 4.7.0 Try again later'],
    ['5.7.1', ''],
  ])('%s with “%s”', (code, diagnosis) => {
    expect(classifyBounce(code, diagnosis)).toMatch(/blocked|soft_bounce/)
    if (!code.startsWith('4')) expect(classifyBounce(code, diagnosis)).toBe('blocked')
  })
})

describe('an unknown address is a hard bounce, whatever the code', () => {
  test.each([
    ['5.1.351', '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 user unknown'],
    ['5.1.350', '550 5.1.350 Remote server returned invalid recipient address -> 550 5.1.3'],
    ['5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
    ['5.0.350', '550 5.0.350 Remote server returned an error -> 550 No such user here'],
    ['5.7.1', '550 5.7.1 <spam@example.test>: Recipient address rejected: User unknown in local recipient table'],
    ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)'],
    ['5.0.0', '554 delivery error: dd This user doesn’t have a yahoo.com account (x@yahoo.com) [0]'],
    [
      '5.1.1',
      '550-5.1.1 The email account that you tried to reach does not exist. https://support.example.test/?p=spam',
    ],
    ['5.1.0', '550 5.1.0 Unknown address error'],
    ['5.4.1', '550 5.4.1 All recipient addresses rejected : Access denied'],
    ['5.0.0', '550 Unrouteable address'],
    ['5.0.0', 'Unrouteable address'],
    ['5.1.1', '550 5.1.1 User ana isn’t listed in the directory'],
    ['', '550 User <nobody> unknown'],
    ['5.0.0', '550 User ana not listed in Domino Directory'],
    ['5.2.1', '550 5.2.1 The email account is disabled'],
    ['', 'Sorry, no mailbox here by that name. (#5.1.1)'],
    ['', '553 sorry, this recipient is not in my validrcptto list (#5.7.1)'],
    ['5.1.1', ''],
  ])('%s with “%s”', (code, diagnosis) => {
    expect(classifyBounce(code, diagnosis)).toBe('hard_bounce')
  })
})

describe('full mailboxes and temporary failures are soft', () => {
  test.each([
    ['5.2.2', '552 5.2.2 Over quota'],
    ['5.1.1', '550 5.1.1 The user’s mailbox is full'],
    ['5.1.1', '450 4.1.1 User unknown in local recipient table'],
    ['4.4.1', 'connect to mx.example.test: Connection timed out'],
    ['5.4.4', 'Host not found'],
    ['4.4.1', 'connect to mx.example.test[192.0.2.1]:25: Connection refused'],
    ['4.4.7', 'Deferred: Connection refused by mx.example.test.'],
    ['4.4.7', 'Envelope expired'],
    ['5.0.0', 'mailbox is full (MTA-imposed quota exceeded while writing to tmp/H1)'],
    ['5.2.2', 'cannot update mailbox /var/mail/mia for user mia. error writing message: File too large'],
    ['5.0.0', '550 We do not like your address'],
    ['5.1.0', '550 5.1.0 No'],
  ])('%s with “%s”', (code, diagnosis) => {
    expect(classifyBounce(code, diagnosis)).toBe('soft_bounce')
  })
})

test('a long answer is classified at once', () => {
  const startedAt = performance.now()
  classifyBounce('', 'sender user '.repeat(100_000))
  classifyBounce('', 'a'.repeat(1_000_000))
  classifyBounce('', 'exceeds '.repeat(100_000))
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test.each([
  '550 5.1.1 La boîte aux lettres est pleine',
  '550 5.1.1 Postfach voll',
  '550 5.1.1 Speicherplatz überschritten',
])('a mailbox that is full in another language is no unknown address: %s', (diagnosis) => {
  expect(classifyBounce('5.1.1', diagnosis)).toBe('soft_bounce')
})
