import type { LandingSamples } from '#shared/contracts/library/landing-samples.ts'

export function ToolSample({ tool }: { tool: NonNullable<LandingSamples['tool']> }) {
  return (
    <div>
      <p className="display max-w-[34ch] text-2xl">{tool.verdict}</p>
      <p className="mt-3 text-sm text-muted">
        <span className="font-semibold text-ink">{tool.name}</span>, {tool.category.toLowerCase()}
        {tool.rating !== null && <span className="tabular-nums">, {tool.rating.toFixed(1)} / 5.0</span>}
      </p>
      <div className="mt-6 grid gap-x-8 gap-y-5 text-sm sm:grid-cols-2">
        <Points title="Good for" points={tool.goodFor} />
        <Points title="Watch out" points={tool.watchOut} />
      </div>
    </div>
  )
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <h4 className="font-semibold">{title}</h4>
      <ul className="mt-2">
        {points.map((point) => (
          <li key={point} className="border-t border-line py-2">
            {point}
          </li>
        ))}
      </ul>
    </div>
  )
}
