/** One text message to one phone; `to` is E.164 with its plus. */
export type Sms = { to: string; text: string }

/** Hands a message over; resolves when it was accepted. */
export type SmsSender = { send(sms: Sms): Promise<void> }
