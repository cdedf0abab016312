/** The server sends one email or text message per address and minute. */
export const resendIntervalSeconds = 60

/** Seconds to wait, from the server's message ("… after 42 seconds."); null if the error is about something else. */
export function resendDelaySeconds(error: unknown): number | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code !== 'over_email_send_rate_limit' && code !== 'over_sms_send_rate_limit') return null
  const named = /(\d+) second/.exec(String(message))
  return named ? Number(named[1]) : resendIntervalSeconds
}
