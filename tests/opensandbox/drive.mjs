// Drive a server with OpenSandbox's own client.
//
//     node drive.mjs SCENARIO
//
// SCENARIO is one of the functions below. Its value is printed as JSON. An
// exception is {"error": its class, "status", "code", "message"}. The client
// finds address and key in OPEN_SANDBOX_DOMAIN and OPEN_SANDBOX_API_KEY, as any
// program of its users does.
import {
  ExecutionEventDispatcher, Sandbox, SandboxManager
} from '@alibaba-group/opensandbox'

async function said (call) {
  try {
    return await call()
  } catch (error) {
    return {
      error: error.constructor.name,
      status: error.statusCode,
      code: error.error && error.error.code,
      message: String(error.message)
    }
  }
}

async function using (options, work) {
  const sandbox = await Sandbox.create({
    image: 'opensandbox/code-interpreter:latest', ...options
  })
  try {
    return await work(sandbox)
  } finally {
    await sandbox.kill()
    await sandbox.close()
  }
}

// The client runs no code by itself: its code interpreter is a package of its
// own. This function does the same, with the client's own address and
// dispatcher.
async function runCode (sandbox, code, language = 'python') {
  const endpoint = await sandbox.getEndpoint(44772)
  const url = await sandbox.getEndpointUrl(44772)
  const answer = await fetch(url + '/code', {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...endpoint.headers
    },
    body: JSON.stringify({ code, context: { language } })
  })
  const execution = { logs: { stdout: [], stderr: [] }, result: [] }
  const dispatcher = new ExecutionEventDispatcher(execution)
  for (const line of (await answer.text()).split('\n')) {
    if (line) await dispatcher.dispatch(JSON.parse(line.slice(5)))
  }
  return execution
}

const scenarios = {
  async run () {
    return using({ env: { OWN: 'x' } }, async (sandbox) => {
      const first = await runCode(sandbox,
        'import os, sys\nprint("hé\\u2028llo")\n' +
        'print("bad", file=sys.stderr)\nx = 6 * 7\nos.environ["OWN"]')
      const second = await runCode(sandbox, 'x')
      const failed = await runCode(sandbox, 'raise KeyError("a\\nb")')
      const other = await runCode(sandbox, '1', 'java')
      return {
        same: first.id === sandbox.id,
        stdout: first.logs.stdout.map((one) => one.text).join(''),
        stderr: first.logs.stderr.map((one) => one.text).join(''),
        text: first.result[0].text,
        second: second.result[0].text,
        count: [first.executionCount, second.executionCount],
        complete: second.complete.executionTimeMs >= 0,
        failed: failed.error,
        other: other.error
      }
    })
  },

  async life () {
    const sandbox = await Sandbox.create({
      image: 'python:3.11', metadata: { user: 'ä' }, timeoutSeconds: 60
    })
    const info = await sandbox.getInfo()
    const healthy = await sandbox.isHealthy()
    const renewed = await sandbox.renew(10000)
    const again = await Sandbox.connect({ sandboxId: sandbox.id })
    const same = again.id === sandbox.id
    const pause = await said(() => sandbox.pause())
    await sandbox.kill()
    const result = {
      state: info.status.state,
      image: info.image.uri,
      metadata: info.metadata,
      grew: renewed.expiresAt > info.expiresAt,
      healthy,
      same,
      pause,
      after: await sandbox.isHealthy(),
      killed: await said(() => sandbox.kill()),
      info: await said(() => sandbox.getInfo())
    }
    await again.close()
    await sandbox.close()
    return result
  },

  async list () {
    const manager = SandboxManager.create()
    const made = []
    for (const name of ['list one', 'list +%', 'list +%']) {
      made.push(await Sandbox.create({
        image: 'python', metadata: { name }, skipHealthCheck: true
      }))
    }
    const two = await manager.listSandboxInfos({
      states: ['Running'], metadata: { name: 'list +%' }, pageSize: 1
    })
    const none = await manager.listSandboxInfos({ states: ['Paused'] })
    for (const one of made) {
      await manager.killSandbox(one.id)
      await one.close()
    }
    await manager.close()
    return { items: two.items.length, pages: two.pagination,
             none: none.items.length }
  },

  async files () {
    return using({}, async (sandbox) => {
      const files = sandbox.files
      await files.writeFiles([
        { path: '/home/user/a/é "1".txt', data: 'text\u2028', mode: 644 },
        { path: 'bytes', data: new Uint8Array([0, 255]) }])
      const info = await files.getFileInfo(['bytes'])
      await files.createDirectories([{ path: 'd/e', mode: 755 }])
      await files.moveFiles([{ src: 'bytes', dest: 'd/e/moved' }])
      const listed = await files.listDirectory({ path: 'd', depth: 2 })
      const result = {
        text: await files.readFile('a/é "1".txt'),
        bytes: Array.from(await files.readBytes('d/e/moved')),
        info: [info.bytes.path, info.bytes.size, info.bytes.mode],
        date: info.bytes.modifiedAt instanceof Date,
        listed: listed.map((one) => [one.path, one.type])
      }
      await files.deleteFiles(['d/e/moved'])
      await files.deleteDirectories(['d'])
      result.missing = await said(() => files.getFileInfo(['d']))
      result.outside = await said(() => files.createDirectories(
        [{ path: '/etc/x' }]))
      result.search = await said(() => files.search({ path: '.' }))
      return result
    })
  },

  async commands () {
    return using({}, async (sandbox) => [
      await said(() => sandbox.commands.run('ls')),
      await said(() => sandbox.commands.createSession()),
      await said(() => sandbox.getMetrics())
    ])
  },

  async wrong () {
    process.env.OPEN_SANDBOX_API_KEY = 'wrong'
    return said(() => using({}, () => null))
  }
}

console.log(JSON.stringify(await said(scenarios[process.argv[2]])))
