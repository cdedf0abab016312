import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type PickedSamples, pickSamples } from './pick-samples.ts'

const content = join(import.meta.dirname, '../../content')

function readYaml(...path: string[]): unknown {
  const file = join(content, ...path)
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`Landing samples: content/${path.join('/')} can’t be read.`, { cause: error })
  }
}

const readFolder = (folder: string) =>
  readdirSync(join(content, folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readYaml(folder, file))

/** Samples for the built page. The server replaces them with the published ones. */
export const readSamples = (): PickedSamples =>
  pickSamples({
    choice: readYaml('samples.yaml'),
    drops: readFolder('drops'),
    categories: readFolder('prompts'),
    guides: readYaml('guides.yaml'),
    tools: readYaml('tools.yaml'),
  })
