// Drive a server with E2B's own SDK.
//
//     node drive.mjs GENERATION SCENARIO
//
// GENERATION is the name of a package here, and SCENARIO one of the functions
// below. Its value is printed as JSON. An exception is {"error": its class,
// "message": its text}.
//
// Names below .e2b. lead to 127.0.0.1.
import dns from 'node:dns'

const lookup = dns.lookup
dns.lookup = (name, options, done) => {
  const call = typeof options === 'function' ? options : done
  const asked = typeof options === 'function' ? {} : options
  if (!/(^|\.)e2b\.[a-z.]+$/.test(name)) return lookup(name, asked, call)
  const found = { address: '127.0.0.1', family: 4 }
  if (asked && asked.all) return call(null, [found])
  return call(null, found.address, found.family)
}

const { Sandbox } = await import(process.argv[2])

async function said (call) {
  try {
    return await call()
  } catch (error) {
    const cause = error.cause ? `: ${error.cause}` : ''
    return { error: error.constructor.name, message: error.message + cause }
  }
}

async function using (options, work) {
  const sandbox = await Sandbox.create(options)
  try {
    return await work(sandbox)
  } finally {
    await sandbox.kill()
  }
}

const scenarios = {
  async run () {
    return using({ metadata: { user: 'ä' }, envs: { OWN: 'x' } },
      async (sandbox) => {
        const out = []
        const first = await sandbox.runCode(
          'import os, sys\nprint("hé\\u2028llo")\n' +
          'print("bad", file=sys.stderr)\nx = 6 * 7\nos.environ["OWN"]',
          { onStdout: (one) => out.push(one.line) })
        const second = await sandbox.runCode('x')
        const failed = await sandbox.runCode('raise KeyError("a\\nb")')
        const own = await sandbox.runCode(
          'import os\n(os.environ["ONCE"], os.environ["OWN"])',
          { envs: { ONCE: '1', OWN: 'y' } })
        const after = await sandbox.runCode(
          '(os.environ.get("ONCE"), os.environ["OWN"])')
        const other = await sandbox.runCode('1', { language: 'r' })
        return {
          out: out.join(''),
          stdout: first.logs.stdout.join(''),
          stderr: first.logs.stderr.join(''),
          text: first.text,
          count: [first.executionCount, second.executionCount],
          second: second.results[0].isMainResult && second.text,
          failed: failed.error,
          own: own.text,
          after: after.text,
          other: other.error
        }
      })
  },

  async values () {
    return using({}, async (sandbox) => {
      const shown = await sandbox.runCode(
        'class Html:\n    def _repr_html_(self): return "<b>ü</b>"\n' +
        'display(Html())\n{"a": [1, 2]}')
      return shown.results.map((one) => ({
        text: one.text, html: one.html, json: one.json, extra: one.extra,
        main: one.isMainResult
      }))
    })
  },

  async life () {
    const sandbox = await Sandbox.create({ timeoutMs: 120000 })
    const id = sandbox.sandboxId
    const before = await sandbox.isRunning()
    const info = await sandbox.getInfo()
    await sandbox.setTimeout(240000)
    const later = await sandbox.getInfo()
    const again = await Sandbox.connect(id)
    const kept = await again.runCode('1 + 1')
    const metrics = await sandbox.getMetrics()
    const killed = [await Sandbox.kill(id), await Sandbox.kill(id)]
    return {
      before,
      same: info.sandboxId === id,
      template: info.templateId || info.templateID,
      grew: later.endAt - info.endAt > 60000,
      kept: kept.text,
      metrics,
      killed,
      after: await sandbox.isRunning(),
      info: await said(() => sandbox.getInfo()),
      run: await said(() => sandbox.runCode('1')),
      connect: await said(() => Sandbox.connect(id)),
      pause: await said(async () => {
        const one = await Sandbox.create()
        try {
          return await (one.pause ?? one.betaPause).call(one)
        } finally {
          await one.kill()
        }
      })
    }
  },

  async list () {
    const made = []
    for (const mark of ['one', 'two', 'two']) {
      made.push(await Sandbox.create({ metadata: { mark: 'list & ' + mark } }))
    }
    const found = async (options) => {
      const pages = Sandbox.list(options)
      const all = []
      while (pages.hasNext) all.push(...await pages.nextItems())
      return all.map((one) => one.metadata.mark)
    }
    try {
      return {
        two: await found({ query: { metadata: { mark: 'list & two' } } }),
        paged: (await found({ limit: 1 })).filter(
          (mark) => mark && mark.startsWith('list & ')).sort(),
        none: await found({ query: { metadata: { mark: 'none' } } })
      }
    } finally {
      for (const one of made) await one.kill()
    }
  },

  async contexts () {
    return using({}, async (sandbox) => {
      await sandbox.runCode('x = 1\nopen("shared", "w").write("file")\n' +
        'import os\nos.mkdir("sub")')
      const context = await sandbox.createCodeContext(
        { cwd: '/home/user/sub' })
      const run = async (code) => {
        const got = await sandbox.runCode(code, { context })
        return got.error ? got.error.name : got.text
      }
      const fresh = await run('x')
      const count = (await sandbox.runCode('y = 2', { context })).executionCount
      const where = await run('import os\n(y, os.getcwd())')
      const file = await run('open("/home/user/shared").read()')
      const lost = await said(() => sandbox.runCode(
        '1', { context: { id: 'f'.repeat(32), language: 'python', cwd: '/' } }))
      const found = { fresh, count, where, file, lost, language: context.language }
      if (!sandbox.listCodeContexts) return found
      const before = (await sandbox.listCodeContexts()).map((one) => one.cwd)
      await sandbox.restartCodeContext(context.id)
      const after = await run('import os\n("y" in dir(), os.getcwd())')
      await sandbox.removeCodeContext(context.id)
      const left = (await sandbox.listCodeContexts()).length
      return { ...found, before, after, left }
    })
  },

  async files () {
    return using({}, async (sandbox) => {
      const files = sandbox.files
      const written = await files.write('a/é "1".txt', 'text\u2028')
      await files.write([{ path: '/home/user/one', data: '1' },
        { path: '/tmp/two', data: new Blob(['22']).stream() }])
      const names = (list) => list.map((one) => one.path)
      return {
        path: written.path,
        text: await files.read('a/é "1".txt'),
        bytes: Array.from(await files.read('/tmp/two', { format: 'bytes' })),
        program: (await sandbox.runCode('open("one").read()')).text,
        listed: names(await files.list('/home/user')),
        root: names(await files.list('/')).includes('/home'),
        exists: [await files.exists('one'), await files.exists('none')],
        made: [await files.makeDir('d/e'), await files.makeDir('d/e')],
        renamed: (await files.rename('one', 'd/e/f')).path,
        info: (await files.getInfo('d/e/f')).size,
        deep: names(await files.list('d', { depth: 2 })),
        removed: await files.remove('d'),
        gone: await files.exists('d'),
        missing: await said(() => files.read('none')),
        outside: await said(() => files.write('/etc/x', ''))
      }
    })
  },

  async processes () {
    return using({}, async (sandbox) => [
      await said(() => sandbox.commands.run('ls')),
      await said(() => sandbox.pty.create(
        { cols: 80, rows: 24, onData: () => {} })),
      await said(() => sandbox.files.watchDir('/home/user', () => {})),
      await said(() => sandbox.commands.list()),
      await said(() => sandbox.commands.kill(1))
    ])
  },

  // What an SDK of before 2.0 has, as Flowise uses it.
  async old () {
    return using({ metadata: { user: 'ä' }, envs: { OWN: 'x' } },
      async (sandbox) => {
        const run = (code, options) =>
          sandbox.runCode(code, { language: 'python', ...options })
        const first = await run('import os\nprint("hé")\nx = 6 * 7\n' +
          'os.environ["OWN"]')
        const again = await run('x')
        const failed = await run('raise KeyError')
        const shown = await run(
          'class Html:\n    def _repr_html_(self): return "<b>ü</b>"\nHtml()')
        const context = await sandbox.createCodeContext()
        const fresh = await sandbox.runCode('x', { context })
        await sandbox.files.write('one', 'text')
        const other = await Sandbox.connect(sandbox.sandboxId)
        const same = await other.runCode('x')
        const running = [await sandbox.isRunning()]
        const read = await sandbox.files.read('one')
        const listed = (await sandbox.files.list('.')).map((one) => one.name)
        await sandbox.kill()
        running.push(await sandbox.isRunning())
        return {
          text: first.text,
          stdout: first.logs.stdout.join(''),
          again: again.text,
          failed: failed.error.name,
          html: shown.results[0].html,
          context: fresh.error.name,
          read,
          listed,
          same: same.text,
          running
        }
      })
  },

  async wrong () {
    return said(() => Sandbox.create({ apiKey: 'e2b_' + '0'.repeat(64) }))
  }
}

const value = await said(scenarios[process.argv[3]])
// Not at the end of all connections, which the SDK keeps for a while.
process.stdout.write(JSON.stringify(value) + '\n', () => process.exit(0))
