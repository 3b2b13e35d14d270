/**
 * Another editor for transcripts, to be measured beside ours: `@bbc/react-transcript-editor`, which many
 * others are built on. It is fetched from npm into a folder of its own when a bench asks for it, and is
 * no package of this project: it needs a React of 2019.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { build } from 'vite'

const PACKAGES = ['@bbc/react-transcript-editor@1.4.4', 'react@16.14.0', 'react-dom@16.14.0']

/** It opens the text when the button is pressed, as ours opens it when a row of the library is. */
const PAGE = `<!doctype html><meta charset="utf-8"><button id="open">Open</button><div id="at"></div>`

const PROGRAM = `
import React from 'react'
import { render } from 'react-dom'
import { TranscriptEditor } from '@bbc/react-transcript-editor'

const given = window.given
document.getElementById('open').addEventListener('click', () =>
  render(
    React.createElement(TranscriptEditor, {
      transcriptData: given.transcript,
      mediaUrl: given.mediaUrl,
      sttJsonType: 'digitalpaperedit',
      isEditable: true,
      fileName: 'talk.flac',
      title: 'talk',
      mediaType: 'audio',
    }),
    document.getElementById('at'),
  ),
)
`

/**
 * @param turns with the times of their words in milliseconds
 * @returns a page as HTML, everything in it
 * @throws when npm cannot fetch the packages
 */
export async function peerEditorPage({
  turns,
  mediaUrl,
}: {
  turns: readonly { speaker: string; words: readonly { text: string; ms: number }[] }[]
  mediaUrl: string
}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-peer-'))
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['install', ...options, ...PACKAGES], { cwd: folder })
    await writeFile(join(folder, 'peer.js'), PROGRAM)
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
      build: {
        lib: { entry: join(folder, 'peer.js'), formats: ['iife'], name: 'peer', fileName: 'peer' },
      },
    })
    const program = await readFile(join(folder, 'dist', 'peer.iife.js'), 'utf8')
    const given = JSON.stringify({ transcript: transcriptOf(turns), mediaUrl })
    return `${PAGE}<script>window.given = ${given}</script><script>${program.replaceAll('</script', String.raw`<\/script`)}</script>`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In the form that its own makers use, in seconds. */
function transcriptOf(turns: Parameters<typeof peerEditorPage>[0]['turns']) {
  const words: { id: number; start: number; end: number; text: string }[] = []
  const paragraphs = turns.map(({ speaker, words: said }, id) => {
    const first = words.length
    for (const { text, ms } of said)
      words.push({ id: words.length, start: ms / 1000, end: (ms + 350) / 1000, text })
    return { id, speaker, start: words[first]?.start ?? 0, end: words.at(-1)?.end ?? 0 }
  })
  return { words, paragraphs }
}
