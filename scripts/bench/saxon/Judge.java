import java.io.ByteArrayInputStream;
import java.io.File;
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
 * How long Saxon takes for one document: to parse it, and to parse it and hold it against Schematrons.
 * Milliseconds of CPU of all threads, the median of samples, warm; a line of JSON a document.
 *
 * java -cp JAR Judge.java TRANSLATION SCHEMATRON… -- DOCUMENT…
 */
class Judge {
  static final double WARM_UP_MS = 10_000;
  static final double BUDGET_MS = 4_000;
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
    for (var path : given.subList(end + 1, given.size())) {
      byte[] bytes = Files.readAllBytes(Path.of(path));
      String fired = judge(bytes);
      repeat(() -> judge(bytes), WARM_UP_MS, WARM_UP_MS);
      double whole = repeat(() -> judge(bytes), BUDGET_MS, SAMPLE_MS);
      double parse = repeat(() -> parse(bytes), BUDGET_MS, SAMPLE_MS);
      System.out.printf(
          "{\"whole\":%.5f,\"parse\":%.5f,\"fired\":\"%s\"}%n",
          whole, parse, fired.strip().replace("\n", " "));
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

  static double repeat(Work work, double budget, double sample) throws SaxonApiException {
    var samples = new ArrayList<Double>();
    double endsAt = cpuMs() + budget;
    do {
      double startedAt = cpuMs();
      int count = 0;
      do {
        work.run();
        count++;
      } while (cpuMs() - startedAt < sample);
      samples.add((cpuMs() - startedAt) / count);
    } while (cpuMs() < endsAt);
    samples.sort(null);
    return samples.get(samples.size() / 2);
  }

  static double cpuMs() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e6;
  }
}
