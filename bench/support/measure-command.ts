import { runOperatorCommand } from '#server/run-operator-command.ts'
import { round } from './statistics.ts'

/** Runs an operator's command and measures its time and the most memory that the process had (RSS). */
export async function measureCommand(args: readonly string[], env: Record<string, string>) {
  let peak = 0
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  const startedAt = performance.now()
  try {
    const { lines, succeeded } = await runOperatorCommand(args, env)
    if (!succeeded) throw new Error(lines.join('\n'))
    console.log(lines.join('\n'))
  } finally {
    clearInterval(sample)
  }
  return { seconds: round((performance.now() - startedAt) / 1000, 1), 'peak RSS MB': round(peak / 1e6, 0) }
}
