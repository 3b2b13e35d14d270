import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { onlyFor, stylePublicPages } from './public-styles.ts'

const left = (css: string, ...words: string[]) => onlyFor(new Set(words), css)

test('rules of classes that no page has are left out, in whatever they stand', () => {
  expect(left('.a{color:red}.b{color:red}', 'a')).toBe('.a{color:red}')
  expect(left('@media print{@layer u{.a{color:red}.b:hover{color:red}}}', 'a')).toBe(
    '@media print{@layer u{.a{color:red}}}',
  )
  expect(left('@supports (x:y){@media print{.b{color:red}}}.a{color:red}', 'a')).toBe(
    '.a{color:red}',
  )
  expect(left('.a,.b{color:red}', 'b')).toBe('.b{color:red}')
  expect(left(':is(.b>*):first-child{color:red}.a{color:red}', 'a')).toBe('.a{color:red}')
})

test('what may match stays', () => {
  const rules = [
    ':focus-visible{outline:1px solid}',
    'body[data-warning]:before{content:"!"}',
    '::highlight(now){color:red}',
    '.a:not(.b){color:red}',
    '.a:has(.b){color:red}',
    ':where(.a):is([open],:popover-open) .sm\\:w-\\[calc\\(1px\\+2px\\)\\]{width:3px}',
    '.signed-in\\:hidden:is([data-signed-in] *){display:none}',
    '@keyframes turn{50%{rotate:.5turn}to{rotate:1turn}}',
    '@media print{.a{animation:linear both turn;animation-timeline:scroll(root)}}',
  ]
  for (const rule of rules)
    expect(left(rule, 'a', 'sm:w-[calc(1px+2px)]', 'signed-in:hidden')).toBe(rule)
})

test('pages get the rules of each of them, of escaped names and of their scripts', async ({
  onTestFinished,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'quoth-styles-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const link = '<link rel="stylesheet" href="/assets/all.css"/>'
  await mkdir(join(dir, 'assets'))
  await writeFile(
    join(dir, 'assets/all.css'),
    '.a{top:1px}.\\[\\&_p\\]\\:m p{top:2px}.dark{top:3px}.app{top:4px}.b\\[c\\=d\\]{top:5px}',
  )
  await writeFile(join(dir, 'one.html'), `${link}<p class="x a">`)
  await writeFile(
    join(dir, 'two.html'),
    `${link}<script>x.classList.add("dark")</script><p class="[&amp;_p]:m b[c=d]">`,
  )
  const name = await stylePublicPages(dir, ['one.html', 'two.html'])
  expect(await readFile(join(dir, name), 'utf8')).toBe(
    '.a{top:1px}.\\[\\&_p\\]\\:m p{top:2px}.dark{top:3px}.b\\[c\\=d\\]{top:5px}',
  )
  for (const page of ['one.html', 'two.html'])
    expect(await readFile(join(dir, page), 'utf8')).toContain(
      `<link rel="stylesheet" href="/${name}"/>`,
    )

  await writeFile(join(dir, 'bare.html'), '<p>')
  await expect(stylePublicPages(dir, ['one.html', 'bare.html'])).rejects.toThrow(
    'bare.html links to no style sheet',
  )
  await writeFile(join(dir, 'other.html'), link.replace('all', 'other'))
  await expect(stylePublicPages(dir, ['one.html', 'other.html'])).rejects.toThrow(
    'have 2 style sheets',
  )
})
