/** Enhanced status codes of a bad address: unknown, moved or disabled. */
const badAddress = /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/
const badAddressText =
  /user (is )?unknown|unknown user|no such (user|mailbox|recipient)|does ?n[o']t exist|(mailbox|account) (is )?(unavailable|disabled|not found|closed)|invalid (recipient|mailbox)|recipient (address )?rejected: (user|undeliverable)/i

/**
 * Hard bounce if the enhanced status code (RFC 3463) means a bad address, or the text does when the code is vague. Full
 * mailboxes, content or reputation rejections and unreachable servers are soft, even if reported as permanent.
 */
export function classifyBounce(code: string, diagnosis: string): 'hard_bounce' | 'soft_bounce' {
  if (badAddress.test(code)) return 'hard_bounce'
  const isVague = code === '' || code === '5.0.0'
  return isVague && badAddressText.test(diagnosis) ? 'hard_bounce' : 'soft_bounce'
}
