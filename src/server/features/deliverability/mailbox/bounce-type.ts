/** Permanent failures that say the address itself is of no use: wrong, moved without a trace, or closed. */
const badAddress = /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/
const saysSo =
  /user (is )?unknown|unknown user|no such (user|mailbox|recipient)|does ?n[o']t exist|(mailbox|account) (is )?(unavailable|disabled|not found|closed)|invalid (recipient|mailbox)|recipient (address )?rejected: (user|undeliverable)/i

/**
 * Whether a failure means that the address is of no use, by its enhanced status code (RFC 3463). A full mailbox, a refusal
 * for the content or for our name, and a server that could not be reached may be over tomorrow, however permanent the
 * server calls them. Servers that give no exact code say it in words.
 */
export function bounceTypeOf(code: string, diagnosis: string): 'hard_bounce' | 'soft_bounce' {
  if (badAddress.test(code)) return 'hard_bounce'
  const isVague = code === '' || code === '5.0.0'
  return isVague && saysSo.test(diagnosis) ? 'hard_bounce' : 'soft_bounce'
}
