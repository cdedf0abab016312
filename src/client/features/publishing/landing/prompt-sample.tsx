import { CopyButton } from '#client/ui/copy-button.tsx'
import type { LandingSamples } from '#shared/contracts/library/landing-samples.ts'

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
        <MarkedPlaceholders body={prompt.body} />
      </p>
    </div>
  )
}

/** Doesn't use `domain/placeholders.ts`, whose list of variables would be a part of this page's script. */
function MarkedPlaceholders({ body }: { body: string }) {
  return body.split(/(\[[^[\]]+\])/).map((text, index) =>
    index % 2 === 0 ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
      <mark key={index} className="rounded-sm bg-accent-soft px-1 font-medium text-accent-ink">
        {text}
      </mark>
    ),
  )
}
