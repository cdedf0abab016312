import { clsx } from 'clsx'
import type { LandingSamples } from '#shared/contracts/library/landing-samples.ts'

type GuideSampleProps = { guide: NonNullable<LandingSamples['guide']> }

/** The first lines of a guide, fading out, and its table of contents. */
export function GuideSample({ guide }: GuideSampleProps) {
  if (guide.firstLines.length === 0) {
    return (
      <div>
        <p className="text-sm text-muted">{guide.type}</p>
        <h4 className="display mt-1 mb-4 text-xl">{guide.title}</h4>
        <Inside guide={guide} />
      </div>
    )
  }
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div
        data-excerpt=""
        className="relative max-h-112 overflow-hidden border border-b-0 border-line bg-surface px-6 pt-7 pb-10 sm:px-8"
      >
        <p className="text-sm text-muted">{guide.type}</p>
        <h4 className="display mt-1 mb-4 text-xl">{guide.title}</h4>
        {guide.firstLines.map(({ kind, text }) => (
          <p
            key={text}
            className={clsx(
              'mt-2 text-sm leading-6',
              kind === 'heading' && 'mt-5 font-semibold',
              kind === 'point' && 'border-l border-line pl-3',
            )}
          >
            {text}
          </p>
        ))}
        <div aria-hidden className="absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-sunken" />
      </div>
      <Inside guide={guide} />
    </div>
  )
}

function Inside({ guide }: GuideSampleProps) {
  return (
    <div className="text-sm">
      <h5 className="font-semibold">Inside</h5>
      <ul className="mt-2">
        {guide.inside.map((line) => (
          <li key={line} className="border-t border-line py-2">
            {line}
          </li>
        ))}
      </ul>
      <p className="border-t border-line pt-2 text-muted">
        {guide.format}, {guide.extent}
      </p>
    </div>
  )
}
