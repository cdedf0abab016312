const repetitions = 3
const measurableMs = 5
const maxLength = 400_000
/** Growth from which on it is measured again. */
const doubtful = 8
const attempts = 4

function cpuMs(work: () => unknown): number {
  const times = Array.from({ length: repetitions }, () => {
    const { user } = process.threadCpuUsage()
    work()
    return (process.threadCpuUsage().user - user) / 1_000
  })
  return Math.min(...times)
}

/**
 * How many times the processor time of a text of four times the length is: 4 if the time is in proportion to the length, 16 if it
 * is quadratic; 1 if even a long text takes no time worth measuring. Other processes don't count.
 */
export function cpuGrowth(work: (text: string) => unknown, unit: string): number {
  let growth = measureGrowth(work, unit)
  // Neighbors on a processor disturb its caches and clock now and then, and a quadratic time is one every time.
  for (let attempt = 1; attempt < attempts && growth >= doubtful; attempt += 1) {
    growth = Math.min(growth, measureGrowth(work, unit))
  }
  return growth
}

function measureGrowth(work: (text: string) => unknown, unit: string): number {
  const textOf = (length: number) => unit.repeat(Math.ceil(length / unit.length))
  for (let length = 2_000; length <= maxLength; length *= 2) {
    const time = cpuMs(() => work(textOf(length)))
    if (time >= measurableMs) return cpuMs(() => work(textOf(4 * length))) / time
  }
  return 1
}
