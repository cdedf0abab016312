const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** "340 kB", "2.4 MB". */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${whole.format(Math.max(1, bytes / 1_000))} kB` : `${tenths.format(bytes / 1_000_000)} MB`
