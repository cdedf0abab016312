import { CopyButton } from '#client/ui/copy-button.tsx'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'
import { splitPlaceholders } from '#shared/domain/placeholders.ts'

export function PromptSample({ prompt }: { prompt: NonNullable<LandingSamples['prompt']> }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-start justify-between gap-x-6 gap-y-3 border-b max-sm:flex-col border-line px-5 py-4 sm:px-7">
        <div className="max-w-[52ch]">
          <h4 className="font-semibold">{prompt.title}</h4>
          <p className="mt-0.5 text-sm text-muted">{prompt.when}</p>
        </div>
        <CopyButton text={prompt.body} what={prompt.title} variant="primary" />
      </div>
      <p className="max-w-[72ch] px-5 py-5 text-sm whitespace-pre-line sm:px-7">
        {splitPlaceholders(prompt.body).map((part) =>
          part.isPlaceholder ? (
            <mark key={part.at} className="rounded-sm bg-accent-soft px-1 font-medium text-accent-ink">
              {part.text}
            </mark>
          ) : (
            part.text
          ),
        )}
      </p>
    </div>
  )
}
