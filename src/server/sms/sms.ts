/** A text message. `to` is an E.164 number with the leading plus. */
export type Sms = { to: string; text: string }

/** Resolves once the provider has accepted the message. */
export type SmsSender = { send(sms: Sms): Promise<void> }
