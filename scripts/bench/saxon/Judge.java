import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.*;

/**
 * How long Saxon takes for a document: milliseconds of CPU of all threads.
 *
 * java -cp JAR Judge.java TRANSLATION SCHEMATRON… -- DOCUMENT…
 *
 * Each line of its input, a kind of work and the number of a document, asks for a line: `fired`, the
 * ids of the rules that the document breaks, after it has been judged until the JVM is warm; `whole`, a
 * sample of parsing and judging it.
 */
class Judge {
  static final double WARM_UP_MS = 10_000;
  static final double SAMPLE_MS = 100;
  static final Processor processor = new Processor(false);
  static final List<XsltExecutable> stylesheets = new ArrayList<>();

  interface Work {
    void run() throws SaxonApiException;
  }

  public static void main(String[] arguments) throws Exception {
    var given = Arrays.asList(arguments);
    int end = given.indexOf("--");
    var translation = compile(new StreamSource(new File(given.get(0))));
    for (var schematron : given.subList(1, end)) {
      var stylesheet = new XdmDestination();
      var translator = translation.load();
      translator.setSource(new StreamSource(new File(schematron)));
      translator.setDestination(stylesheet);
      translator.transform();
      stylesheets.add(compile(stylesheet.getXdmNode().asSource()));
    }
    var documents = new ArrayList<byte[]>();
    for (var path : given.subList(end + 1, given.size())) documents.add(Files.readAllBytes(Path.of(path)));
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var asked = line.split(" ");
      System.out.println(answer(asked[0], documents.get(Integer.parseInt(asked[1]))));
    }
  }

  static String answer(String asked, byte[] document) throws SaxonApiException {
    switch (asked) {
      case "whole":
        return Double.toString(sample(() -> judge(document), SAMPLE_MS));
      default:
        sample(() -> judge(document), WARM_UP_MS);
        return judge(document).strip().replace("\n", " ");
    }
  }

  static XsltExecutable compile(javax.xml.transform.Source source) throws SaxonApiException {
    return processor.newXsltCompiler().compile(source);
  }

  static XdmNode parse(byte[] bytes) throws SaxonApiException {
    return processor.newDocumentBuilder().build(new StreamSource(new ByteArrayInputStream(bytes)));
  }

  static String judge(byte[] bytes) throws SaxonApiException {
    var document = parse(bytes);
    var fired = new StringWriter();
    for (var stylesheet : stylesheets) {
      var transformer = stylesheet.load();
      transformer.setInitialContextNode(document);
      transformer.setDestination(processor.newSerializer(fired));
      transformer.transform();
    }
    return fired.toString();
  }

  static double sample(Work work, double atLeastMs) throws SaxonApiException {
    double startedAt = cpuMs();
    int count = 0;
    do {
      work.run();
      count++;
    } while (cpuMs() - startedAt < atLeastMs);
    return (cpuMs() - startedAt) / count;
  }

  static double cpuMs() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e6;
  }
}
