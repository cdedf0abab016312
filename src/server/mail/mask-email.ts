/** "a…@example.com": enough to recognize an address that one knows. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '…' : `${[...email][0]}…${email.slice(at)}`
}
