import { useId, useState } from 'react'
import { ownWords } from '#client/lib/publication.ts'
import { announce } from '#client/ui/announce.ts'
import { ChoiceChip } from '#client/ui/choice.tsx'
import { TextAreaField, TextField } from '#client/ui/form.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { maxRuleNote, type RecordedRule } from '#shared/contracts/reader/franchisor-rules.ts'
import { type FranchisorRule, type RuleTopic, ruleTopics } from '#shared/domain/franchisor-rules.ts'
import { ruleLabels, ruleTopicTexts } from '#shared/domain/rule-texts.ts'
import { useRecordRule } from './franchisor-rules.api.ts'

/** In the order of the buttons. */
const offered: readonly FranchisorRule[] = ['not-regulated', 'ask-first', 'forbidden', 'unknown']

/** The reader's answers, one topic each, saved with every tap. */
export function FranchisorRulesSection({ recorded }: { recorded: readonly RecordedRule[] }) {
  const answered = ruleTopics.filter((topic) => recorded.some((rule) => rule.topic === topic)).length
  return (
    <div id="franchisor-rules" className="scroll-mt-6 border-t border-line pt-8">
      <Section
        title="Your franchisor’s rules"
        status={`${answered} of ${ruleTopics.length} answered`}
        lede={ownWords`Answer what you know. Prompts, drops, guides, and tools that touch a rule then show what to do, with a message you can send. Only you see this.`}
      >
        <div className="grid">
          {ruleTopics.map((topic) => (
            <TopicRule key={topic} topic={topic} recorded={recorded.find((rule) => rule.topic === topic)} />
          ))}
        </div>
      </Section>
    </div>
  )
}

const nothing = { rule: null, note: '', saidOn: null }

function TopicRule({ topic, recorded }: { topic: RuleTopic; recorded: RecordedRule | undefined }) {
  const record = useRecordRule()
  const name = useId()
  const stored = recorded ?? nothing
  const [note, setNote] = useState(stored.note)
  const { label, about } = ruleTopicTexts[topic]

  const handleChange = async (change: Partial<Pick<RecordedRule, 'rule' | 'note' | 'saidOn'>>) => {
    const { rule } = await record(topic, change)
    announce(`Saved: ${label}, ${ruleLabels[rule]}`)
  }

  return (
    <fieldset className="border-t border-line py-5 first:border-t-0 first:pt-0">
      <legend className="float-left mb-1 w-full font-semibold">{label}</legend>
      <p className="clear-both text-sm text-muted">{about}</p>
      <div className="mt-3 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {offered.map((rule) => (
          <ChoiceChip
            key={rule}
            type="radio"
            name={name}
            checked={stored.rule === rule}
            onChange={() => handleChange({ rule })}
            label={ruleLabels[rule]}
          />
        ))}
      </div>
      {recorded && (
        <Disclosure
          className="mt-2 text-sm"
          summary={stored.note || stored.saidOn ? 'What they said, and when' : 'Add what they said, and when'}
        >
          <div className="grid items-start gap-4 pb-2 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <TextAreaField
              label="What they said"
              rows={3}
              maxLength={maxRuleNote}
              className="field-sizing-content py-2"
              value={note}
              onChange={(event) => setNote(event.target.value)}
              onBlur={() => note.trim() !== stored.note && handleChange({ note: note.trim() })}
            />
            <TextField
              label="Said on"
              type="date"
              min="1990-01-01"
              max={new Date().toISOString().slice(0, 10)}
              value={stored.saidOn ?? ''}
              onChange={(event) => {
                const { value, validity } = event.target
                if (validity.valid) handleChange({ saidOn: value || null })
              }}
            />
          </div>
        </Disclosure>
      )}
    </fieldset>
  )
}
