import { expect, test } from 'vitest'
import { isBotRequest } from './detect-bot-request.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'

test.each([
  chrome,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; ms-office; MSOffice 16)',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
])('A person with %s', (userAgent) => {
  expect(isBotRequest('GET', userAgent)).toBe(false)
})

test.each([
  undefined,
  '',
  'Mozilla/5.0',
  'Mozilla/5.0 (compatible; Mimecast)',
  'Barracuda Sentinel (EE)',
  'Slackbot-LinkExpanding 1.0',
  'python-requests/2.32',
  'curl/8.5.0',
])('A bot with %s', (userAgent) => {
  expect(isBotRequest('GET', userAgent)).toBe(true)
})

test('A HEAD request counts as a bot', () => {
  expect(isBotRequest('HEAD', chrome)).toBe(true)
})
